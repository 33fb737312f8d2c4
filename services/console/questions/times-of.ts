// How kinds of questions say a time in the filter of the interface.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../schemas/units.ts";
import type { Asked, AskedTime, Choice, Period } from "./question.ts";

interface Preset extends Choice {
  readonly ms: number;
}

export const PRESETS: readonly Preset[] = [
  { key: "5m", name: "Last 5 minutes", ms: 5 * MINUTE_MS },
  { key: "15m", name: "Last 15 minutes", ms: 15 * MINUTE_MS },
  { key: "1h", name: "Last hour", ms: HOUR_MS },
  { key: "6h", name: "Last 6 hours", ms: 6 * HOUR_MS },
  { key: "1d", name: "Last day", ms: DAY_MS },
  { key: "7d", name: "Last 7 days", ms: 7 * DAY_MS },
  { key: "30d", name: "Last 30 days", ms: 30 * DAY_MS },
];

export const DEFAULT_TIME: AskedTime = { kind: "last", last: "1h" };

const FIRST_MS = Date.UTC(1900, 0, 1);
const END_MS = Date.UTC(2300, 0, 1);

/** Whether the history can have something of this time. Dates far beyond it cannot even be written as a text. */
export const isTime = (ms: number): boolean => ms >= FIRST_MS && ms < END_MS;

/** @param now counts only for the last hours or days. */
export function periodOf({ time }: Pick<Asked, "time">, now: number): Period {
  switch (time.kind) {
    case "last":
      return { from: now - (PRESETS.find(({ key }) => key === time.last)?.ms ?? HOUR_MS), to: now, isMoment: false };
    case "range":
      return { from: time.from, to: time.to, isMoment: false };
    case "moment":
      return { from: time.at, to: time.at, isMoment: true };
    case "always":
      return undefined;
    default:
      return time satisfies never;
  }
}

export const instant = (ms: number): string => new Date(ms).toISOString();

/** A way in which an answer may lie to the time that was asked for, with its member of the filter. */
export interface Relation extends Choice {
  readonly when: (period: NonNullable<Period>) => object;
}

/** The first one of a kind of time is its default. */
export type Relations = Readonly<Partial<Record<"period" | "moment", readonly [Relation, ...Relation[]]>>>;

const ofRange =
  (name: string) =>
  ({ from, to }: NonNullable<Period>) => ({ timeRange: { [name]: { start: instant(from), end: instant(to) } } });
const ofMoment =
  (name: string) =>
  ({ from }: NonNullable<Period>) => ({ timeRange: { [name]: instant(from) } });

/** Things that last. */
export const LASTING: Relations = {
  period: [
    { key: "during", name: "During it", when: ofRange("intersecting") },
    { key: "began", name: "Began in it", when: ofRange("startingWithin") },
    { key: "ended", name: "Ended in it", when: ofRange("endingWithin") },
    { key: "inside", name: "Began and ended in it", when: ofRange("containedBy") },
    { key: "throughout", name: "Throughout it", when: ofRange("containing") },
  ],
  moment: [
    { key: "during", name: "At that moment", when: ofMoment("containingInstant") },
    { key: "before", name: "Ended before it", when: ofMoment("before") },
    { key: "after", name: "Began after it", when: ofMoment("after") },
  ],
};

/** Instants within the period. Both of its ends belong to it. */
export const instants = (member: string): Relations => ({
  period: [{ key: "during", name: "In it", when: (period) => ({ [member]: between(period) }) }],
});

export const between = ({ from, to }: NonNullable<Period>): object => ({ between: [instant(from), instant(to)] });

export const relationsFor = (relations: Relations, { kind }: AskedTime): readonly Relation[] =>
  kind === "always" ? [] : (relations[kind === "moment" ? "moment" : "period"] ?? []);

/** The member of a filter that says when. */
export function whenOf(relations: Relations, { time, relation }: Asked, period: Period): object {
  const offered = relationsFor(relations, time);
  const chosen = offered.find(({ key }) => key === relation) ?? offered[0];
  return period === undefined ? {} : (chosen?.when(period) ?? {});
}
