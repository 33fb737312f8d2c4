// Measurements from the mutation, or from a producer that writes to the topic itself, to queries and subscribers.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { measurementId } from "../../../schemas/identity.ts";
import { follow } from "../feed/subscription.ts";
import { createClient, createInstallation, WAIT } from "./services.ts";

const START = Date.now() - 60_000;
const at = (ms: number) => new Date(START + ms).toISOString();
const CREATE = `mutation ($measurement: MeasurementInput!) {
  createMeasurement(measurement: $measurement) { id timestamp value sensor { name } }
}`;
const LIST = `query ($filter: FilterMeasurementInput!) {
  measurements(filter: $filter) { totalCount edges { node { id value sensor { name } } } }
}`;
const SUBSCRIBE = `subscription ($filter: FilterMeasurementActivityInput) {
  measurementActivity(filter: $filter) { id value sensor { name } }
}`;

const installation = await createInstallation();
afterAll(() => installation.stop());

let url: string;
let headers: Readonly<Record<string, string>>;
let ask: ReturnType<typeof createClient>;

beforeAll(async () => {
  [url] = await Promise.all([installation.startApi(), installation.start("projector")]);
  headers = await installation.createToken("read,write");
  ask = createClient(url, headers);
  await vi.waitFor(async () => expect((await ask("{ sensors { totalCount } }")).body.data).toBeDefined(), WAIT);
});

async function createSensor(id: string, type: string): Promise<void> {
  const { body } = await ask("mutation ($sensor: SensorInput!) { createSensor(sensor: $sensor) { id } }", {
    sensor: { id, name: `The ${id}`, type },
  });
  expect(body.errors).toBeUndefined();
}

const create = (sensorId: string, ms: number, value: string) =>
  ask(CREATE, { measurement: { sensorId, timestamp: at(ms), value } });

test("a client reads its measurements at once, and repeating one adds none", async () => {
  await createSensor("thermometer", "NUMBER");
  const created = await create("thermometer", 1_000, "21.5");
  const id = measurementId("thermometer", START + 1_000, "21.5");
  expect(created.body.data.createMeasurement).toEqual({
    ...{ id, timestamp: at(1_000), value: "21.5", sensor: { name: "The thermometer" } },
  });
  await create("thermometer", 0, "20");
  const { body: last } = await create("thermometer", 1_000, "21.5");

  const filter = { time: { between: [at(0), at(10_000)] }, sensorId: { eq: "thermometer" } };
  const { body } = await ask(LIST, { filter }, { "x-min-position": last.extensions.position });
  expect(last.extensions.position).toMatch(/^measurements:\d+:\d+$/);
  expect(body.data.measurements).toMatchObject({
    totalCount: 2,
    edges: [{ node: { value: "20" } }, { node: { id, value: "21.5", sensor: { name: "The thermometer" } } }],
  });
});

test.each([
  ["thermometer", 0, "warm", "BAD_USER_INPUT", "value"],
  ["thermometer", 0, "1e999", "BAD_USER_INPUT", "value"],
  ["thermometer", 0, " 1", "BAD_USER_INPUT", "value"],
  ["contact", 0, "yes", "BAD_USER_INPUT", "value"],
  ["log", 0, "x".repeat(1_025), "BAD_USER_INPUT", "value"],
  ["log", 86_400_000, "x", "BAD_USER_INPUT", "timestamp"],
  ["log", -5e12, "x", "BAD_USER_INPUT", "timestamp"],
  ["nobody", 0, "x", "NOT_FOUND", "sensorId"],
])("of sensor %s, %i ms, the value %s is refused", async (sensorId, ms, value, code, field) => {
  await Promise.all([createSensor("thermometer", "NUMBER"), createSensor("contact", "BOOLEAN")]);
  await createSensor("log", "TEXT");

  const { body } = await create(sensorId, ms, value);
  expect(body.errors[0].extensions).toMatchObject({ code, path: ["measurement", field] });
});

test("subscribers hear of each new measurement once, as their filters ask, also from producers", async () => {
  await Promise.all([createSensor("door", "BOOLEAN"), createSensor("counter", "NUMBER")]);
  const token = { id: headers["x-token-id"] ?? "", value: headers["x-token-value"] ?? "" };
  const subscribe = (filter: object | null) =>
    follow<{ measurementActivity: { value: string; sensor: { name: string } } }>({
      ...{ url: `${url}/graphql`, token, query: SUBSCRIBE, variables: { filter } },
    });
  const [all, door] = [await subscribe(null), await subscribe({ sensorId: { eq: "door" } })];

  await create("counter", 0, "1");
  await create("door", 0, "true");
  await create("door", 0, "true");
  await installation.publish("MeasurementRecorded", { sensorId: "unknown", timestamp: START, value: "7" });
  // Far in the future: readers refuse it.
  await installation.publish("MeasurementRecorded", { sensorId: "door", timestamp: START + 86_400_000, value: "x" });
  await create("door", 1_000, "false");

  expect((await door.atLeast(2)).map(({ data }) => data.measurementActivity.value)).toEqual(["true", "false"]);
  const received = (await all.atLeast(4)).map(({ data: { measurementActivity: each } }) => [
    each.sensor.name,
    each.value,
  ]);
  expect(received.toSorted()).toEqual([
    ["The counter", "1"],
    ["The door", "false"],
    ["The door", "true"],
    ["unknown", "7"],
  ]);
});
