// The slot of a track: how near it came to other tracks of its data source.
import { markTrack } from "../../live/create-state.ts";
import type { TrackSlot } from "../../live/listener.ts";
import type { PartitionState, Track } from "../../live/state.ts";
import type { Approach, Approaches } from "./approach.ts";
import { parseSight, type Sight, type StoredSight, storeSight } from "./sight.ts";
import { encountersAt } from "./spans.ts";

interface StoredEncounters {
  readonly recent: readonly StoredSight[];
  readonly approaches: Readonly<Record<string, readonly Approach[]>>;
}

export class TrackEncounters implements TrackSlot {
  readonly track: Track;
  /** The approaches by the key of the thresholds. */
  readonly approaches: Map<string, Approaches>;
  #recent: Sight[];

  constructor(track: Track, recent: Sight[] = [], approaches: TrackEncounters["approaches"] = new Map()) {
    this.track = track;
    this.#recent = recent;
    this.approaches = approaches;
  }

  /** The track's last detections, in order of time. */
  get recent(): readonly Sight[] {
    return this.#recent;
  }

  /** Adds the newest detection, and drops those of more than `keptMs` before it. */
  add(sight: Sight, keptMs: number): void {
    const tracks = encountersAt(this.track.source);
    tracks.leaveSpan(this);
    this.#recent.push(sight);
    while ((this.#recent[0]?.at ?? sight.at) < sight.at - keptMs) this.#recent.shift();
    tracks.enterSpan(this);
  }

  /** Clears the figures. */
  begins(): void {
    this.approaches.clear();
  }

  /** Keeps the figures, because a later detection may show that the track continued. */
  rests(state: PartitionState): void {
    if (this.#recent.length === 0) return;
    const passed = encountersAt(this.track.source).rest(this);
    if (passed === undefined) return;
    passed.#recent = [];
    markTrack(state, passed.track);
  }

  wakes(): void {
    encountersAt(this.track.source).wake(this);
  }

  forgotten(): void {
    const tracks = encountersAt(this.track.source);
    tracks.wake(this);
    tracks.leaveSpan(this);
  }

  toJSON(): StoredEncounters {
    const figures = [...this.approaches].map(([key, each]) => [key, [...each.values()]] as const);
    return { recent: this.#recent.map(storeSight), approaches: Object.fromEntries(figures) };
  }
}

/** @returns undefined while no subscription wants the interactions of the track. */
export const encountersOf = ({ slot }: Track): TrackEncounters | undefined =>
  slot instanceof TrackEncounters ? slot : undefined;

export function restoreEncounters(track: Track, stored: unknown): void {
  const { recent, approaches } = stored as StoredEncounters;
  const figures = Object.entries(approaches).map(
    ([key, each]) => [key, new Map(each.map((approach) => [approach.trackId, approach]))] as const,
  );
  const encounters = new TrackEncounters(track, recent.map(parseSight), new Map(figures));
  track.slot = encounters;
  encountersAt(track.source).enterSpan(encounters);
}
