import { expect, test } from "vitest";
import { createEntityApi } from "./entity-api.ts";

const SENSOR = "id name description type position { type coordinates } address metadata";
const CREATE = `mutation ($sensor: SensorInput!) { createSensor(sensor: $sensor) { ${SENSOR} } }`;
const UPDATE = `mutation ($sensor: UpdateSensorInput!) { updateSensor(sensor: $sensor) { ${SENSOR} } }`;
const whole = {
  ...{ id: "gate", name: "Gate thermometer", description: "North wall", type: "NUMBER", address: "Harbour Street 1" },
  ...{ position: { type: "Point", coordinates: [13.4, 52.5] }, metadata: { unit: "celsius" } },
};

test("a sensor is made, found and changed, and nobody deletes it", async () => {
  const { data, ask } = await createEntityApi();

  expect((await data(CREATE, { sensor: whole })).createSensor).toEqual(whole);
  expect((await data(CREATE, { sensor: { id: "gate", name: "Other", type: "TEXT" } })).createSensor).toEqual(whole);

  const change = { id: "gate", type: "TEXT", position: null, address: null };
  const changed = { ...whole, ...change };
  expect((await data(UPDATE, { sensor: change })).updateSensor).toEqual(changed);
  expect((await data(`{ sensor(id: "gate") { ${SENSOR} } }`)).sensor).toEqual(changed);
  expect((await data('{ sensor(id: "door") { id } }')).sensor).toBeNull();

  const { body } = await ask('mutation { deleteSensor(id: "gate") { id } }');
  expect(body.errors?.[0]?.message).toContain("deleteSensor");
});

test.each([
  [{ id: "gate", type: null }, "BAD_USER_INPUT", "type"],
  [{ id: "gate", name: null }, "BAD_USER_INPUT", "name"],
  [{ id: "gate", name: " " }, "BAD_USER_INPUT", "name"],
  [{ id: "gate", address: "x".repeat(1_025) }, "BAD_USER_INPUT", "address"],
  [{ id: "door", name: "Door" }, "NOT_FOUND", "id"],
])("the update %j is refused", async (sensor, code, field) => {
  const { data, refusal } = await createEntityApi();
  await data(CREATE, { sensor: whole });

  expect(await refusal(UPDATE, { sensor })).toEqual({ code, path: ["sensor", field] });
});

test.each([
  ["", ["door", "gate"]],
  ['(filter: { type: { eq: "NUMBER" } })', ["gate"]],
  ['(filter: { type: { ne: "NUMBER" } })', ["door"]],
  ['(filter: { name: { like: "THERMO" } })', ["gate"]],
  ["(filter: { position: { near: { point: { coordinates: [13.4, 52.5] }, radius: 10 } } })", ["gate"]],
  ["(filter: { position: { attributeExists: false } })", ["door"]],
  ['(filter: { or: [{ id: { eq: "door" } }, { not: { type: { eq: "TEXT" } } }] })', ["door", "gate"]],
  ["(sort: { field: ID, direction: DESC })", ["gate", "door"]],
])("sensors%s", async (args, expected) => {
  const { data } = await createEntityApi();
  await data(CREATE, { sensor: whole });
  await data(CREATE, { sensor: { id: "door", name: "Door contact", type: "BOOLEAN" } });

  const { edges, totalCount } = (await data(`{ sensors${args} { totalCount edges { node { id } } } }`)).sensors;
  expect(edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(expected);
  expect(totalCount).toBe(expected.length);
});
