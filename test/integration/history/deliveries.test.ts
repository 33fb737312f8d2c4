// The list of a subscription's deliveries looks at as little time as fills its page.
import { beforeAll, expect, test } from "vitest";
import { deliveriesList } from "../../../projections/history/queries/deliveries.ts";
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import type { ListedDelivery } from "../../../projections/history/records/delivery.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { createDatabase, type Database } from "./database.ts";

const NOW = Date.parse("2026-03-10T00:00:00.000Z");
const HOUR_MS = 3_600_000;
const HOURS_AGO = [-0.01, 0.1, 0.2, 0.2, 5, 30, 31, 32, 33, 800, 20_000, 100_000];
const of = { subscriptionId: "s", generation: NOW };

let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  const gathered = createGathered();
  for (const [offset, hours] of HOURS_AGO.entries()) {
    const createdAt = NOW - hours * HOUR_MS;
    const event = {
      ...{ ...of, id: `d${offset}`, signalIds: [], signal: "track_created", status: "delivered" as const },
      ...{ createdAt, endedAt: createdAt + 1, attempts: [], body: "{}" },
    };
    gathered.add({ type: "DeliveryEnded", event }, { partition: 0, offset, recordedAt: createdAt });
  }
  const covered = { topic: "d", partition: 0, logId: "log", rankBase: 0, first: 0, next: HOURS_AGO.length };
  await createHistoryStore(database.client).insert(gathered.byTable(), [covered]);
});

async function list(limit: number, after?: ListedDelivery) {
  let questions = 0;
  const client: QueryClient = {
    query: (params) => {
      questions++;
      return database.client.query(params);
    },
  };
  const found = await deliveriesList(client, { ...of, after, limit }, NOW);
  return { found, questions };
}

test.each([1, 2, 3, 5, 100])("pages of %i have every delivery once, newest first", async (limit) => {
  const walked: string[] = [];
  for (let last: ListedDelivery | undefined; ; ) {
    const { found } = await list(limit, last);
    walked.push(...found.map(({ id }) => id));
    last = found.at(-1);
    if (found.length < limit) break;
  }

  expect(walked).toEqual(["d0", "d1", "d3", "d2", "d4", "d5", "d6", "d7", "d8", "d9", "d10", "d11"]);
});

test("a page that the newest hour fills asks for no more than that hour", async () => {
  expect(await list(4)).toMatchObject({ questions: 1, found: [{ id: "d0" }, {}, {}, { id: "d2" }] });
  expect((await list(100)).questions).toBe(5);
});
