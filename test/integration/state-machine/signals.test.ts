import { expect, test } from "vitest";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { readAll } from "../../../services/common/kafka/read/read-some.ts";
import { expectedSignals, idsOf, raisedSignals } from "../../support/oracles/expected-signals.ts";
import { until } from "../../support/running/processes.ts";
import { subscriptionSet } from "../../unit/projections/webhooks/subscriptions/subscription.ts";
import { drawn, PATIENT, seen } from "./events.ts";
import { createInstallation, type Installation } from "./installation.ts";

type Wanted = Parameters<typeof subscriptionSet>[0];

const MINUTES_AGO = () => Date.now() - 600_000;

async function subscribe({ write, codec }: Installation, ...wanted: readonly Wanted[]): Promise<SubscriptionSet[]> {
  const records = wanted.map((each) => subscriptionSet({ createdAt: MINUTES_AGO(), ...each }));
  await write(
    "subscriptions",
    records.map(({ type, event }) => ({ key: event.key, value: codec.encode(type, event) })),
  );
  return records.map(({ event }) => event);
}

const readTopic = ({ kafka, log, namespace, topic }: Installation, name: "camera-log" | "signals") =>
  readAll({ kafka, log, groupPrefix: `${namespace}.read`, topic: topic(name) });

const signalsOf = async (installation: Installation) =>
  raisedSignals(await readTopic(installation, "signals"), installation.codec);

const savedUpTo = ({ redis, keys }: Installation, next: number): Promise<unknown> =>
  until(async () => (await redis.hget(keys.position, "next")) === String(next));

test("signals are those of folding the log at once, and an empty Redis does not raise them again", async () => {
  const installation = await createInstallation();
  const subscriptions = await subscribe(
    installation,
    { key: "tracks" },
    { key: "zones", signalType: "zone_state", zoneEmitMode: "composition" },
    { key: "batch", mode: "batch" },
    { key: "gone", deleted: true },
  );
  const { record, startMachine, redis, keys, kafka, codec, namespace } = installation;
  const settings = { ...PATIENT, REBUILD_LOOKBACK_MS: "3600000" };
  await record([drawn("door"), seen("a", "b"), seen("a"), ended("a")]);
  const first = startMachine(settings);
  await savedUpTo(installation, 4);
  await first.stop();
  const group = `tracklog.${namespace}.state-machine`;
  await commit(kafka, group, installation.topic("camera-log"), 4);
  const before = await signalsOf(installation);
  await redis.unlink(Object.values(keys));

  await record([seen("a")]);
  startMachine(settings);
  await savedUpTo(installation, 5);

  const expected = expectedSignals(await readTopic(installation, "camera-log"), subscriptions.slice(0, 3), codec, {
    trackTtlMs: 3_600_000,
  });
  const after = await signalsOf(installation);
  expect(idsOf(after)).toEqual(idsOf(expected));
  expect(after).toHaveLength(expected.length);
  expect(after.length - before.length).toBe(2);
  expect(byId(after)).toEqual(byId(expected));
});

/** The machine commits every two seconds; this does not wait for it. */
async function commit(kafka: Installation["kafka"], groupId: string, topic: string, offset: number): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await until(async () => (await admin.describeGroups([groupId])).groups[0]?.state !== "Stable");
  await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: String(offset) }] });
  await admin.disconnect();
}

const ended = (trackId: string): CameraLogEvent => ({
  type: "TrackUpdated",
  event: {
    ...{ trackId, dataSourceId: "cam", tag: null, startTime: null, endTime: Date.now() + 1_000 },
    ...{ properties: null, metadata: null, detections: [], cleared: [] },
  },
});

const byId = (signals: readonly { readonly id: string }[]) =>
  [...signals].sort((a, b) => (a.id < b.id ? -1 : 1)).map((each) => ({ ...each }));

test("a subscription to a site hears of the data sources whose device is there", async () => {
  const installation = await createInstallation();
  const { write, codec, record, startMachine } = installation;
  await subscribe(
    installation,
    { key: "here", filters: { siteIds: ["here"] } },
    { key: "there", filters: { siteIds: ["there"] } },
    { key: "other-source", filters: { dataSourceIds: ["other"] } },
  );
  const device = {
    ...{ name: "gate", enabled: true, dataSourceId: "cam", siteId: "here", pointOfInterestId: null },
    ...{ transcoderId: null, externalId: null, address: null, position: null },
  };
  const created = { id: "device", change: "created", at: Date.now(), set: device, cleared: [] } as const;
  await write("catalog", [{ key: "device", value: codec.encode("DeviceChanged", created) }]);
  await record([seen("a")]);

  startMachine(PATIENT);
  await savedUpTo(installation, 1);

  expect((await signalsOf(installation)).map(({ subscriptionId }) => subscriptionId)).toEqual(["here"]);
});
