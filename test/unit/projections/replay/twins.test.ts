// A segment with two cameras that number their tracks alike: of each id only one track is asked for.
import { expect, test } from "vitest";
import { createSegmentFold } from "../../../../projections/replay/fold-segment.ts";
import type { Segment } from "../../../../projections/replay/session.ts";
import { createSignalListener } from "../../../../projections/webhooks/signals/signal-listener.ts";
import { type Subscribed, subscribersOf } from "../../../../projections/webhooks/signals/subscribers.ts";
import type { SignalRaised } from "../../../../schemas/records/signal-raised.ts";
import { created, drawn, expired, INSIDE, OUTSIDE, recordedBy, seen, settings, T0 } from "../live/camera.ts";
import { ofZones, subscribed } from "../webhooks/signals/subscribed.ts";

const walks = [0, 500, 1_000, 1_500].flatMap((at) => [
  recordedBy("cam", seen(at, at < 1_000 ? INSIDE : OUTSIDE)),
  recordedBy("other", seen(at, at < 1_000 ? INSIDE : OUTSIDE), seen(at, INSIDE, { trackId: "u" })),
]);
const log = [
  drawn(),
  drawn({ zoneId: "gate", dataSourceId: "other" }),
  created(),
  created({ dataSourceId: "other" }),
  ...walks,
  expired(1_500),
];

const asked = [
  { dataSourceId: "cam", trackId: "t" },
  { dataSourceId: "other", trackId: "u" },
];

const segment: Segment = {
  partition: 0,
  asked: { kind: "tracks", tracks: asked },
  ...{ dataSourceIds: ["cam", "other"], log: "topic", begin: 0, end: log.length },
  ...{ beginAt: T0, lastAt: T0, recorded: [], eventFrom: T0, eventTo: T0 },
};

const namesOf = ({ signal, subjectId, state }: SignalRaised): string => {
  const { datasource_id: source, trigger_track_id: trigger } = JSON.parse(state);
  return `${source} ${signal.startsWith("zone_") ? trigger : subjectId}`;
};

function replayed(subscription: Subscribed, of: Segment = segment) {
  const subscribers = subscribersOf([subscription]);
  const fold = createSegmentFold(of, [], { ...settings, listener: createSignalListener({ of: () => subscribers }) });
  const steps = log.flatMap((message, offset) => fold.fold({ offset, recordedAt: T0 + offset, message }));
  return { fold, steps, signals: steps.flatMap(({ signals }) => signals) };
}

test.each([
  ["of tracks", subscribed()],
  ["of zones", ofZones()],
])("the signals %s are those of the asked tracks, and of no other with their ids", (_what, subscription) => {
  const { steps, signals } = replayed(subscription);

  expect(new Set(signals.map(namesOf))).toEqual(new Set(["cam t", "other u"]));
  expect(steps.filter(({ detectedAt }) => detectedAt !== null)).toHaveLength(8);
});

test("a segment is over when its own track is, however long another one with the id goes on", () => {
  const own = { ...segment, asked: { kind: "tracks", tracks: asked.slice(0, 1) } } as const;

  expect(replayed(subscribed(), own).fold.isOver()).toBe(true);
  expect(replayed(subscribed()).fold.isOver()).toBe(false);
});
