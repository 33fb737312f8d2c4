// The slot of a zone: its composition in the last signal of each subscription to changed compositions.
import type { Slot } from "../../live/listener.ts";
import type { LiveZone } from "../../live/state.ts";

/** The composition of an occupied zone in a subscription's last signal. */
export interface Composition {
  /**
   * Time from which the subscription gets signals, ms. It differs when a new subscription gets the id of a former one,
   * whose composition then does not count.
   */
  readonly since: number;
  /** JSON of [tag, count], sorted by tag. */
  readonly counts: string;
  readonly at: number;
}

type StoredCompositions = Readonly<Record<string, Composition>>;

/** The compositions by the id of the subscription. */
export class ZoneCompositions extends Map<string, Composition> implements Slot {
  toJSON(): StoredCompositions {
    return Object.fromEntries(this);
  }
}

/** @returns undefined when no subscription has had a composition of the zone. */
export const compositionsOf = ({ slot }: LiveZone): ZoneCompositions | undefined =>
  slot instanceof ZoneCompositions ? slot : undefined;

export function restoreCompositions(zone: LiveZone, stored: unknown): void {
  zone.slot = new ZoneCompositions(Object.entries(stored as StoredCompositions));
}
