// Heartbeats that one API instance writes and another one shows.
import { afterAll, expect, test } from "vitest";
import { follow } from "../feed/subscription.ts";
import { createClient, createInstallation } from "./services.ts";

interface Devices {
  readonly devices: {
    readonly state: string;
    readonly message: { readonly name: string; readonly lastHeartbeat: string | null };
  };
}

const installation = await createInstallation();
afterAll(() => installation.stop());

const SUBSCRIBE = `subscription ($filter: FilterDeviceMessageInput) {
  devices(filter: $filter) { state message { name lastHeartbeat } }
}`;
const HEARTBEAT = "mutation ($id: ID!, $at: DateTimeOffset!) { deviceHeartbeat(id: $id, timestamp: $at) { id } }";
const UPDATE = "mutation ($id: ID!, $name: String!) { updateDevice(device: { id: $id, name: $name }) { id } }";
const DEVICE = "query ($id: ID!) { device(id: $id) { lastHeartbeat } }";
const TRACK = "mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }";

test("all instances and their subscribers hear of heartbeats, which traffic gives as well", async () => {
  const [writing, reading] = await Promise.all([installation.startApi(), installation.startApi()]);
  const headers = await installation.createToken("read,write");
  const token = { id: headers["x-token-id"] ?? "", value: headers["x-token-value"] ?? "" };
  const ask = createClient(writing, headers);
  const created = await ask('mutation { createDevice(device: { name: "Gate", enabled: true }) { id } }');
  const { id } = created.body.data.createDevice;
  const subscribe = (filter: object | null, cursor?: string) =>
    follow<Devices>({ url: `${reading}/graphql`, token, query: SUBSCRIBE, variables: { filter }, cursor });
  const all = await subscribe({ id: { eq: id } });
  const changes = await subscribe({ not: { state: { eq: "HEARTBEAT" } } });
  // Only those who follow the tail hear of heartbeats.
  await ask(UPDATE, { id, name: "North gate" });
  await Promise.all([all.atLeast(1), changes.atLeast(1)]);

  const at = "2026-01-01T00:00:00.000Z";
  const { body } = await ask(HEARTBEAT, { id, at });
  const minPosition = { ...headers, "x-min-position": body.extensions.position };
  const shown = await createClient(reading, minPosition)(DEVICE, { id });
  expect(shown.body.data.device.lastHeartbeat).toBe(at);
  await all.atLeast(2);

  const track = { dataSourceId: id, tag: "car", startTime: "2026-01-01T00:00:00Z", detections: [] };
  for (let i = 0; i < 5; i++) await ask(TRACK, { track });
  await all.atLeast(3);
  await ask(UPDATE, { id, name: "Door" });

  const [, ...received] = (await all.atLeast(4)).map(({ data: { devices } }) => devices);
  expect(received.map(({ state, message }) => [state, message.name])).toEqual([
    ["HEARTBEAT", "North gate"],
    ["HEARTBEAT", "North gate"],
    ["UPDATE", "Door"],
  ]);
  expect(received[0]?.message.lastHeartbeat).toBe(at);
  expect(Date.parse(received[1]?.message.lastHeartbeat ?? "")).toBeGreaterThan(Date.parse(at));
  expect((await changes.atLeast(2)).map(({ data }) => data.devices.state)).toEqual(["UPDATE", "UPDATE"]);

  const cursor = all.received()[2]?.extensions.cursor;
  const again = await subscribe({ id: { eq: id } }, cursor);
  expect((await again.atLeast(1)).map(({ data }) => data.devices.state)).toEqual(["UPDATE"]);

  const late = await installation.startApi();
  const { device } = (await createClient(late, headers)(DEVICE, { id })).body.data;
  expect(device.lastHeartbeat).toBe(received[1]?.message.lastHeartbeat);
});
