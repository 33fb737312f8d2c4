// A chronicle query through all that it passes: the REST interface, our API as a process, and the history.
import { expect, onTestFinished, test } from "vitest";
import type { SetFields } from "../../../schemas/catalog/changed.ts";
import type { ActivityChronicleFields } from "../../../schemas/chronicles/activity.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { createGraphQLClient } from "../../support/clients/graphql-client.ts";
import { startService } from "../../support/running/processes.ts";
import { createStateApi } from "./services.ts";

const START = Date.parse("2026-01-05T00:00:00.000Z");
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Smaller than those that are asked for first. */
const PAGE_SIZE = 100;
/** More than a page in a day, and more than a day. */
const COUNT = 400;
const STEP_MS = 5 * MINUTE_MS;
const iso = (ms: number) => new Date(ms).toISOString();

/** Each third is open, the others last an hour. */
const startOf = (index: number) => START + index * STEP_MS;
const endOf = (index: number) => (index % 3 === 0 ? null : startOf(index) + HOUR_MS);
const idOf = (index: number) => `a${String(index).padStart(4, "0")}`;

const WAIT = { timeout: 60_000 };

const nothing: SetFields<ActivityChronicleFields> = {
  ...{ name: null, chronicleProducerId: null, description: null, timezone: null, metadata: null, validation: null },
  ...{ priority: null, status: null, labels: null, locations: null, startTime: null, endTime: null, position: null },
  ...{ imageIds: null, clips: null, trackIds: null, siteIds: null, dataSourceIds: null, tagIds: null },
  ...{ pointOfInterestIds: null, draft: null },
};

async function start() {
  const apiPort = await freePort();
  const graphqlUrl = `http://127.0.0.1:${apiPort}/graphql`;
  const rest = await createStateApi({ STATE_API_GRAPHQL_URL: graphqlUrl });
  onTestFinished(rest.stop);
  await rest.installation.openHistory();
  const env = {
    ...rest.installation.variables,
    API_HOST: "127.0.0.1",
    API_PORT: String(apiPort),
    API_MAX_FIRST: String(PAGE_SIZE),
  };
  const services = await Promise.all([startService("api", env), startService("projector", env)]);
  onTestFinished(async () => {
    await Promise.all(services.map((service) => service.stop()));
  });
  const token = { id: rest.token["x-token-id"] ?? "", value: rest.token["x-token-value"] ?? "" };
  return { ...rest, token, graphqlUrl, client: createGraphQLClient(graphqlUrl, token) };
}

test("activities and events of our own API are found, whole and once each", async () => {
  const { ask, client, token, graphqlUrl, publish } = await start();
  const { producer, site } = await client.ask<{ producer: { id: string }; site: { id: string } }>(`mutation {
    producer: createChronicleProducer(chronicleProducer: { name: "gate", active: true }) { id }
    site: createSite(site: { name: "harbour" }) { id }
  }`);
  const event = (id: string, at: number) =>
    `${id}: createEventChronicle(eventChronicle: { id: "${id}", name: "bell", chronicleProducerId: "${producer.id}", timestamp: "${iso(at)}" }) { id }`;
  await client.ask(`mutation { ${event("e1", START)} ${event("e2", START + HOUR_MS)} }`);
  const activities = Array.from({ length: COUNT }, (_, at) => ({
    ...{ id: idOf(at), change: "created" as const, at: START, cleared: [] },
    set: {
      ...nothing,
      ...{ name: "stay", chronicleProducerId: producer.id, startTime: startOf(at), endTime: endOf(at) },
      ...{ siteIds: [site.id], labels: ["Night"], status: `s${at % 2}`, metadata: `{"n":${at}}` },
    },
  }));
  await publish("ActivityChronicleChanged", ...activities);
  const query = async (members: object) => {
    const { status, body } = await ask("POST", "/api/chronicles/query", {
      credentials: { graphql_url: graphqlUrl, token_id: token.id, token_value: token.value },
      record_kind: "activity_chronicle",
      start_time: iso(START),
      end_time: iso(startOf(COUNT)),
      ...members,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const rollup = { aggregation: { output: "rollup" } };
  await expect.poll(async () => (await query(rollup)).rollup.total, WAIT).toBe(COUNT);
  await expect
    .poll(async () => (await query({ ...rollup, record_kind: "event_chronicle" })).rollup.total, WAIT)
    .toBe(2);

  const all = await query({ aggregation: { output: "raw_and_rollup" } });
  expect(all.chronicles.map(({ id }: { id: string }) => id)).toEqual(
    Array.from({ length: COUNT }, (_, at) => idOf(at)),
  );
  expect(all.chronicles[1]).toMatchObject({
    ...{ id: idOf(1), name: "stay", startTime: iso(startOf(1)), endTime: iso(startOf(1) + HOUR_MS), status: "s1" },
    ...{ chronicleProducer: { id: producer.id, name: "gate" }, sites: [{ id: site.id, name: "harbour" }] },
    ...{ labels: ["Night"], metadata: { n: 1 }, images: [], dataSourceClips: [], createdAt: expect.any(String) },
  });
  expect(all.rollup).toEqual({
    ...{ total: COUNT, by_status: { s0: COUNT / 2, s1: COUNT / 2 }, by_priority: {}, by_label: { Night: COUNT } },
    ...{
      by_producer: { [producer.id]: COUNT },
      earliest_start: iso(START),
      latest_end: iso(startOf(COUNT - 2) + HOUR_MS),
    },
  });
  expect(all.meta).toMatchObject({ chunks_queried: 7 + 2, total_matched: COUNT, truncated: false });

  const tenth = { start_time: iso(startOf(10)), end_time: iso(startOf(11)) };
  const over = Array.from({ length: 11 }, (_, at) => at).filter(
    (at) => (endOf(at) ?? Number.POSITIVE_INFINITY) > startOf(10),
  );
  const bySite = await query({
    ...tenth,
    filters: { labels: ["night"] },
    aggregation: { output: "grouped", group_by: "site" },
  });
  expect(bySite.groups).toMatchObject([
    { key: site.id, count: over.length, chronicles: over.map((at) => ({ id: idOf(at) })) },
  ]);
  expect((await query({ ...tenth, time_match: "started_in" })).chronicles).toMatchObject([{ id: idOf(10) }]);

  const events = await query({
    record_kind: "event_chronicle",
    time_match: "started_in",
    end_time: iso(START + HOUR_MS),
  });
  expect(events.chronicles).toMatchObject([{ id: "e1", timestamp: iso(START), activityChronicles: [] }]);
}, 120_000);
