// Two cameras of one partition that number their tracks alike.

import { expect, test } from "vitest";
import { createGeofences, type Outputs, takeTouched } from "../../../../projections/live/partition.ts";
import { everything, restore } from "../../../../projections/live/persist.ts";
import { parseTrack } from "../../../../projections/live/stored.ts";
import { trackState } from "../../../../projections/live/views.ts";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import { twinField } from "../../../../schemas/redis-keys.ts";
import { storedOf, trackTexts } from "../../../support/scenes/stored-state.ts";
import { ofZones, subscribed, toAll } from "../webhooks/signals/subscribed.ts";
import { type Camera, createCamera, created, drawn, expired, INSIDE, OUTSIDE, recordedBy, seen, T0 } from "./camera.ts";

const FENCE = { rings: [[0, 0, 10, 0, 10, 10, 0, 10, 0, 0]], crs: null };

function fenced() {
  const geofences = createGeofences();
  const set = { name: "Yard", labels: [], siteId: "s", pointOfInterestId: null, active: true, bounds: FENCE };
  geofences.apply({ id: "yard", change: "created", at: 0, set, cleared: [] }, 0, T0);
  return geofences;
}

const doors = [drawn(), drawn({ zoneId: "gate", dataSourceId: "other" })];
const atPlace = (longitude: number) => ({ position: { longitude, latitude: 5, altitude: null, crs: null } });

/** The track t of a camera: through its zone, and through the yard. */
const walkOf = (dataSourceId: string, tag: string, startAt: number): CameraLogEvent[] => [
  created({ dataSourceId, tag }),
  ...[INSIDE, INSIDE, OUTSIDE].map((x, i) =>
    recordedBy(dataSourceId, seen(startAt + i * 700, x, atPlace(x === INSIDE ? 5 : 20))),
  ),
];

const first = walkOf("cam", "person", 0);
const second = walkOf("other", "truck", 100);
const mixed = first.flatMap((message, i) => [message, second[i] ?? message]);

const create = () =>
  createCamera({ geofences: fenced(), subscriptions: toAll(subscribed(), ofZones({ key: "zones" })) });

/** Without what says where in the log it was. */
const restBy = ({ lists }: Outputs, dataSourceId: string) => ({
  stays: [...lists["zone-intersections"], ...lists["geofence-intersections"]]
    .filter((each) => each.dataSourceId === dataSourceId)
    .map(({ cause: _, ...rest }) => rest),
  signals: lists.signals
    .filter(({ state }) => JSON.parse(state).datasource_id === dataSourceId)
    .map(({ id: _, cause: _cause, ...rest }) => rest),
});

function alone(dataSourceId: string, walk: readonly CameraLogEvent[]) {
  const camera = create();
  camera.fold(...doors, { type: "GeofencesAdvanced", event: { upTo: 0 } }, ...walk);
  return restBy(camera.out, dataSourceId);
}

const played = (): Camera => {
  const camera = create();
  camera.fold(...doors, { type: "GeofencesAdvanced", event: { upTo: 0 } }, ...mixed);
  return camera;
};

test("cameras that number their tracks alike have the intersections and signals that each has alone", () => {
  const { out } = played();

  expect(restBy(out, "cam")).toEqual(alone("cam", first));
  expect(restBy(out, "other")).toEqual(alone("other", second));
  expect(out.lists["geofence-intersections"]).toHaveLength(4);
  expect(new Set(out.lists["geofence-intersections"].map(({ intersectionId }) => intersectionId)).size).toBe(2);
  expect(out).toMatchObject({ late: 0, duplicates: 0 });
});

const stored = (texts: ReadonlyMap<string, string | null>) =>
  Object.fromEntries([...texts].map(([field, json]) => [field, json === null ? null : parseTrack(json).dataSourceId]));

test("the store has the track seen last under the plain id, and the other one beside it", () => {
  const camera = played();

  expect(stored(takeTouched(camera.state).tracks)).toMatchObject({ t: "other", [twinField("cam", "t")]: "cam" });
  camera.fold(recordedBy("cam", seen(5_000, INSIDE)));
  const { tracks } = takeTouched(camera.state);
  expect(stored(tracks)).toEqual({ t: "cam", [twinField("cam", "t")]: null, [twinField("other", "t")]: "other" });
  expect(trackState(trackTexts(tracks.get("t") ?? ""))).toMatchObject({
    track_id: "t",
    tag: "person",
    datasource_id: "cam",
  });
});

/** In the order of the log. */
const orders: readonly [order: string, ...seenBy: [dataSourceId: string, at: number][]][] = [
  ["the log has the later detection first", ["cam", 500], ["other", 400]],
  ["they are of the same instant", ["cam", 500], ["other", 500]],
  ["the other one has no detection", ["cam", 0]],
];

test.each(orders)("the track with the later detection by event time leads, also when %s", (_order, ...seenBy) => {
  const camera = createCamera();
  camera.fold(created(), created({ dataSourceId: "other" }));
  for (const [dataSourceId, at] of seenBy) camera.fold(recordedBy(dataSourceId, seen(at, INSIDE)));

  expect(stored(takeTouched(camera.state).tracks)).toMatchObject({ t: "cam", [twinField("other", "t")]: "other" });
});

test("twins that were stored the other way round take each the field of the other, and neither is lost", () => {
  const camera = createCamera();
  camera.fold(recordedBy("cam", seen(500, INSIDE)), recordedBy("other", seen(400, INSIDE)));
  const { tracks } = everything(camera.state);
  const [later = "", earlier = ""] = [tracks.get("t"), tracks.get(twinField("other", "t"))].map((json) => json ?? "");

  // A version that went by the order of the log stored the twins like this. The store gives them in any order.
  const ofStore = new Map<string, string | null>([
    ["t", earlier],
    [twinField("cam", "t"), later],
  ]);
  for (const inOrder of [
    [later, earlier],
    [earlier, later],
  ]) {
    const restored = restore(3, { ...storedOf(camera.state), tracks: inOrder });
    const after = new Map([...ofStore, ...takeTouched(restored).tracks]);

    expect(stored(after)).toEqual({ t: "cam", [twinField("cam", "t")]: null, [twinField("other", "t")]: "other" });
  }
});

test("when the track seen last is forgotten, the other one is found by the id again", () => {
  const camera = createCamera({ rememberedTracks: 1 });
  camera.fold(...mixed);
  takeTouched(camera.state);

  const other = { ...expired(100 + 1_400), event: { ...endOf(1_500), dataSourceId: "other" } } as CameraLogEvent;
  camera.fold(other, created({ dataSourceId: "cam", trackId: "u" }));

  expect(stored(takeTouched(camera.state).tracks)).toEqual({ t: "cam", [twinField("cam", "t")]: null, u: "cam" });
});

const endOf = (at: number) => {
  const { event } = expired(at);
  return event;
};
