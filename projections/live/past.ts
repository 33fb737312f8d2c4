// The past of a track in its present stretch: its newest ended intersections with zones (`history`), and the zones that
// it entered last (`sequence`). They are stored apart from the track, one text per entry: the track's own text is
// written with every detection, an entry once. The name of a text contains the number of its entry modulo KEPT_ENTRIES,
// so a new entry replaces the oldest.
import { twinField } from "../../schemas/redis-keys.ts";
import type { PartitionState, PastEntries, Track } from "./state.ts";
import { allTracks } from "./twins.ts";

/** Live state keeps only the newest entries, so that a track on a border for days does not grow without bound. */
export const KEPT_ENTRIES = 500;

export type PastKind = keyof PastEntries;

/** `number` counts from the beginning of the stretch. */
export interface PastPart<K extends PastKind = PastKind> {
  readonly kind: K;
  readonly dataSourceId: string;
  readonly trackId: string;
  readonly number: number;
  readonly entry: PastEntries[K];
}

const kinds: readonly PastKind[] = ["history", "sequence"];

const fieldOf = ({ kind, dataSourceId, trackId, number }: Omit<PastPart, "entry">): string =>
  `${kind} ${number % KEPT_ENTRIES} ${twinField(dataSourceId, trackId)}`;

export function remember<K extends PastKind>(
  state: PartitionState,
  track: Track,
  kind: K,
  entry: PastEntries[K],
): void {
  const list = track[kind] as PastEntries[K][];
  list.push(entry);
  if (list.length > KEPT_ENTRIES) list.shift();
  const { trackId, source } = track;
  const part = { kind, dataSourceId: source.dataSourceId, trackId, number: track.past[kind]++, entry };
  state.dirtyPast.set(fieldOf(part), part);
}

/** Removes the past for a new stretch, or because the track is forgotten. */
export function forgetPast(state: PartitionState, track: Track): void {
  for (const part of partsOf(track)) state.dirtyPast.set(fieldOf(part), null);
  track.history = [];
  track.sequence = [];
  track.past = { history: 0, sequence: 0 };
}

export function* pastTexts(track: Track): Generator<readonly [field: string, json: string]> {
  for (const part of partsOf(track)) yield [fieldOf(part), JSON.stringify(part)];
}

function* partsOf(track: Track): Generator<PastPart> {
  const { trackId, source } = track;
  for (const kind of kinds) {
    const entries = track[kind];
    const first = track.past[kind] - entries.length;
    for (const [i, entry] of entries.entries()) {
      yield { kind, dataSourceId: source.dataSourceId, trackId, number: first + i, entry };
    }
  }
}

/** The newest entries among the texts of a track, oldest first. */
export function entriesOf<K extends PastKind>(kind: K, texts: readonly string[]): PastEntries[K][] {
  const parts = texts.map((text): PastPart => JSON.parse(text)).filter((part) => part.kind === kind);
  return parts.sort((a, b) => a.number - b.number).map(({ entry }) => entry as PastEntries[K]);
}

/** Restores the pasts of the tracks of a state that is read back. */
export function createPastRestoration(state: PartitionState) {
  const found = new Map<string, PastPart>();
  const whole: Track[] = [];

  function take(track: Track): void {
    const { trackId, source } = track;
    for (const kind of kinds) {
      const count = track.past[kind];
      for (let number = Math.max(0, count - KEPT_ENTRIES); number < count; number++) {
        const field = fieldOf({ kind, dataSourceId: source.dataSourceId, trackId, number });
        const part = found.get(field);
        if (part?.number !== number) throw new Error(`${kind} ${number} of track ${trackId} is not stored`);
        found.delete(field);
        (track[kind] as unknown[]).push(part.entry);
      }
    }
  }

  return {
    add(json: string): void {
      const part: PastPart = JSON.parse(json);
      found.set(fieldOf(part), part);
    },

    /** Adds a track whose text contains its past, as earlier versions wrote it. */
    addWhole(track: Track): void {
      track.past = { history: track.history.length, sequence: track.sequence.length };
      whole.push(track);
    },

    finish(): void {
      const isWhole = new Set(whole);
      for (const track of allTracks(state)) if (!isWhole.has(track)) take(track);
      // No track refers to these fields: an earlier version did not delete them.
      for (const field of found.keys()) state.dirtyPast.set(field, null);
      for (const track of whole) for (const part of partsOf(track)) state.dirtyPast.set(fieldOf(part), part);
    },
  };
}
