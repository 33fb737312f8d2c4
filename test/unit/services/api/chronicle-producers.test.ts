import { expect, test } from "vitest";
import { createEntityApi } from "./entity-api.ts";

const PRODUCER = "id name description timezone active validationReasons metadata";
const CREATE = `mutation ($chronicleProducer: CreateChronicleProducerInput!) {
  createChronicleProducer(chronicleProducer: $chronicleProducer) { ${PRODUCER} }
}`;
const UPDATE = `mutation ($chronicleProducer: UpdateChronicleProducerInput!) {
  updateChronicleProducer(chronicleProducer: $chronicleProducer) { ${PRODUCER} }
}`;
const EVENT_PRODUCER = "id name description timezone active invalidReasons metadata";
const whole = {
  ...{ id: "gate", name: "Gate watch", description: "At night", timezone: "Europe/Berlin", active: false },
  ...{ validationReasons: ["test", "false alarm"], metadata: { team: ["night"] } },
};
const bare = { description: null, timezone: null, active: true, metadata: null };

test("a producer is made, found, changed and deleted", async () => {
  const { data, refusal } = await createEntityApi();

  expect((await data(CREATE, { chronicleProducer: whole })).createChronicleProducer).toEqual(whole);
  const again = await data(CREATE, { chronicleProducer: { id: "gate", name: "Other", active: true } });
  expect(again.createChronicleProducer).toEqual(whole);

  const change = { id: "gate", name: "Gate", description: null, validationReasons: [], metadata: null };
  const changed = { ...whole, ...change };
  expect((await data(UPDATE, { chronicleProducer: change })).updateChronicleProducer).toEqual(changed);
  expect((await data(`{ chronicleProducer(id: "gate") { ${PRODUCER} } }`)).chronicleProducer).toEqual(changed);

  expect(await data('mutation { deleteChronicleProducer(id: "gate") { name } }')).toEqual({
    deleteChronicleProducer: { name: "Gate" },
  });
  expect(await data('{ chronicleProducer(id: "gate") { id } }')).toEqual({ chronicleProducer: null });
  expect(await refusal('mutation { deleteChronicleProducer(id: "gate") { id } }')).toEqual({
    code: "NOT_FOUND",
    path: ["id"],
  });
});

test.each([
  [{ id: "gate", active: null }, "active"],
  [{ id: "gate", validationReasons: null }, "validationReasons"],
  [{ id: "gate", name: " " }, "name"],
  [{ id: "gate", timezone: "+02:00" }, "timezone"],
])("the update %j is refused", async (chronicleProducer, field) => {
  const { data, refusal } = await createEntityApi();
  await data(CREATE, { chronicleProducer: whole });

  expect(await refusal(UPDATE, { chronicleProducer })).toEqual({
    code: "BAD_USER_INPUT",
    path: ["chronicleProducer", field],
  });
});

test("event producers are chronicle producers under their former names", async () => {
  const { data, refusal } = await createEntityApi();
  await data(CREATE, { chronicleProducer: whole });
  const create = `mutation ($eventProducer: EventProducerInput!) {
    createEventProducer(eventProducer: $eventProducer) { ${EVENT_PRODUCER} }
  }`;
  const yard = { id: "yard", name: "Yard watch" };
  expect((await data(create, { eventProducer: yard })).createEventProducer).toEqual({
    ...{ ...bare, ...yard, invalidReasons: [] },
  });
  const update = `mutation { updateEventProducer(eventProducer: { id: "gate", name: "Gate" }) { ${EVENT_PRODUCER} } }`;
  const { validationReasons, ...others } = whole;
  const renamed = { ...others, name: "Gate", invalidReasons: validationReasons };
  expect((await data(update)).updateEventProducer).toEqual(renamed);
  expect((await data(`{ eventProducer(id: "gate") { ${EVENT_PRODUCER} } }`)).eventProducer).toEqual(renamed);
  expect((await data(`{ chronicleProducer(id: "yard") { ${PRODUCER} } }`)).chronicleProducer).toEqual({
    ...{ ...bare, ...yard, validationReasons: [] },
  });
  expect(await refusal(create, { eventProducer: { name: "" } })).toEqual({
    code: "BAD_USER_INPUT",
    path: ["eventProducer", "name"],
  });
});

test.each([
  ["chronicleProducers", "", ["gate", "yard"]],
  ["chronicleProducers", "(filter: { active: { eq: true } })", ["yard"]],
  ["chronicleProducers", '(filter: { not: { name: { like: "GATE" } } })', ["yard"]],
  ["chronicleProducers", "(sort: { field: ID, direction: DESC })", ["yard", "gate"]],
  ["eventProducers", "", ["gate", "yard"]],
  ["eventProducers", '(filter: { or: [{ id: { eq: "yard" } }] })', ["yard"]],
  ["eventProducers", "(sort: { field: EVENT_PRODUCER_NAME, direction: DESC })", ["yard", "gate"]],
])("%s%s", async (field, args, expected) => {
  const { data } = await createEntityApi();
  await data(CREATE, { chronicleProducer: whole });
  await data(CREATE, { chronicleProducer: { id: "yard", name: "Yard watch", active: true } });

  const { edges, totalCount } = (await data(`{ ${field}${args} { totalCount edges { node { id } } } }`))[field];
  expect(edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual(expected);
  expect(totalCount).toBe(expected.length);
});
