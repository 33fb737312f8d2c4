import { expect, test } from "vitest";
import { applyInSteps, createPartition, noOutputs } from "../../../../../projections/live/partition.ts";
import type { CameraLogEvent } from "../../../../../schemas/events.ts";
import { deleted, drawn, expired, INSIDE, recorded, seen, settings, T0 } from "../../live/camera.ts";
import { inBatches, listenFor, ofZones, subscribed } from "./subscribed.ts";

const ZONES = 40;
const SUBSCRIPTIONS = 100;

const several = (make: (key: string) => ReturnType<typeof subscribed>) =>
  Array.from({ length: SUBSCRIPTIONS }, (_, i) => make(`s${i}`));

/** How many signals each message raised, and the most of them without a rest. */
function raise(subscriptions: readonly ReturnType<typeof subscribed>[], messages: readonly CameraLogEvent[]) {
  const state = createPartition(0);
  const out = noOutputs();
  const own = { ...settings, listener: listenFor(...subscriptions) };
  let most = 0;
  const zones = Array.from({ length: ZONES }, (_, i) => drawn({ zoneId: `z${i}` }));
  const raised = [...zones, ...messages].map((message, offset) => {
    const before = out.lists.signals.length;
    let last = before;
    const steps = applyInSteps(state, { offset, recordedAt: T0, message }, own, out);
    for (let isDone = false; !isDone; last = out.lists.signals.length) {
      isDone = steps.next().done === true;
      most = Math.max(most, out.lists.signals.length - last);
    }
    return out.lists.signals.length - before;
  });
  return { raised: raised.slice(ZONES), most };
}

const entry = recorded(seen(0, INSIDE));

test.each([
  ["a detection", ofZones, [entry, recorded(seen(1_000, INSIDE))]],
  ["an end", ofZones, [entry, expired(0)]],
  ["a gap", ofZones, [entry, recorded(seen(60_000, INSIDE))]],
  ["a zone that is deleted", ofZones, [entry, deleted({ zoneId: "z0" })]],
  ["a frame", (given: object) => ofZones({ ...given, zoneEmitMode: "composition" }), [entry, expired(0)]],
  ["a track", subscribed, [entry, recorded(seen(1_000, INSIDE)), expired(1_000)]],
  ["the interactions of a track", inBatches, [entry, expired(0)]],
])("the fold rests while it tells many subscriptions of %s", (_, make, messages) => {
  const { raised, most } = raise(
    several((key) => make({ key })),
    messages,
  );

  expect(raised.at(-1)).toBeGreaterThanOrEqual(SUBSCRIPTIONS);
  expect(most).toBeLessThan(20);
});
