// The texts of a state as tests take them from the fold and give them back.
import type { PartitionState, Touched } from "../../../projections/live/partition.ts";
import { everything, type Stored } from "../../../projections/live/persist.ts";
import type { TrackTexts } from "../../../projections/live/views.ts";

const present = (texts: ReadonlyMap<string, string | null>): string[] =>
  [...texts.values()].flatMap((text) => text ?? []);

/** For `restore`. */
export function storedOf(state: PartitionState): Stored {
  const { tracks, sources, zones, past } = everything(state);
  return { tracks: present(tracks), sources: present(sources), zones: present(zones), past: present(past) };
}

/** Returns what the store holds of the track in `text`: this text, and the track's entries of `past`. */
export function trackTexts(text: string, past: Touched["past"] = new Map()): TrackTexts {
  const { trackId, dataSourceId } = JSON.parse(text);
  const isOfTrack = (entry: { trackId: string; dataSourceId: string }) =>
    entry.trackId === trackId && entry.dataSourceId === dataSourceId;
  return { text, past: present(past).filter((json) => isOfTrack(JSON.parse(json))) };
}
