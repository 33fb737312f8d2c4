import { expect, test } from "vitest";
import { matches } from "../../../../projections/filters/match.ts";
import { createSeen } from "../../../../projections/filters/seen-positions.ts";
import { inSlices } from "../../../../projections/filters/slices.ts";
import { type TrackMessageSubject, trackMessageFields } from "../../../../projections/filters/tracks.ts";
import type { FilterTrackMessageInput } from "../../../../schemas/filters.ts";
import { limits } from "../../../../schemas/limits.ts";

const BRANCHES = 990;
/** No slice takes more tests, but for the list of attributes that it has begun. */
const SLICE = 10_000 + limits.maxAttributes;

const attributes = Array.from({ length: limits.maxAttributes }, (_, i) => ({ type: `t${i}`, value: `v${i}` }));

const subject: TrackMessageSubject = {
  ...{ trackId: "t", dataSourceId: "d", dataSource: null, tag: "person", modelId: null, state: "UPDATE" },
  ...{ seen: { seen: createSeen([]), count: 0 }, properties: { identifier: null, attributes } },
};

/** One branch after the other asks in vain, but for the last one. */
const filter = (wanted: string): FilterTrackMessageInput => ({
  or: Array.from({ length: BRANCHES }, (_, i) => ({
    attribute: { value: { like: i < BRANCHES - 1 ? `x${i}` : wanted } },
  })),
});

function match(asked: FilterTrackMessageInput) {
  const slices: number[] = [];
  const steps = inSlices(() => matches(trackMessageFields, asked, subject));
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return { verdict: step.value, slices };
    slices.push(step.value);
  }
}

test("very many conditions on a track with very many attributes are judged in slices, each condition once", () => {
  const { verdict, slices } = match(filter("v255"));

  expect(verdict).toBe(true);
  expect(Math.max(...slices)).toBeLessThanOrEqual(SLICE);
  expect(slices.reduce((sum, tests) => sum + tests, 0)).toBe(BRANCHES * limits.maxAttributes);
  expect(match(filter("none")).verdict).toBe(false);
});

test("one value that a caller asks of identifiers and of attributes is judged for each of them", () => {
  const same = { value: { like: "v255" } };

  expect(match({ identifier: same }).verdict).toBe(false);
  expect(match({ or: [{ identifier: same }, { attribute: same }] }).verdict).toBe(true);
});
