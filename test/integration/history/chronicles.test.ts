// Chronicles in the history: whatever way their events are cut into flushes, they are what the fold in memory makes of
// them, and pages and counts are those of the simplest computation over them.
import { beforeAll, describe, expect, test } from "vitest";
import type { AnyChronicleDescription } from "../../../projections/chronicles/define-chronicle.ts";
import { type ChronicleEvent, evolveChronicle } from "../../../projections/chronicles/evolve.ts";
import { chronicles } from "../../../projections/chronicles/kinds.ts";
import { activityFields, eventChronicleFields, summaryFields } from "../../../projections/filters/chronicles.ts";
import { matches } from "../../../projections/filters/match.ts";
import { chronicleQueries } from "../../../projections/history/chronicles/pages.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import type { ChronicleKind } from "../../../schemas/chronicles/kinds.ts";
import type { Sort } from "../../../schemas/filters.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { anyChange, anyCreation } from "../../support/random/any-chronicles.ts";
import { anyActivityFilter, anyEventChronicleFilter, anySummaryFilter } from "../../support/random/any-filters.ts";
import { createDatabase, type Database } from "./database.ts";
import { pick, type Random, seeded, shuffled } from "./world.ts";

const CHRONICLES = 300;
const CHANGES = 1_500;
const FLUSHES = 15;
const PAGES = Number(process.env["FILTERS"] ?? 12);
const seed = Number(process.env["FILTERS_SEED"] ?? Math.floor(Math.random() * 1e9));

const kinds = Object.keys(chronicles) as ChronicleKind[];
const idOf = (i: number): string => `t${i}`;
type Known = Readonly<Record<string, unknown>> & { readonly id: string };

let database: Database;
/** The objects of each kind that exist according to the fold in memory. */
const known = new Map<ChronicleKind, readonly Known[]>();

beforeAll(async () => {
  const random = seeded(seed);
  database = await createDatabase();
  const flushes = Array.from({ length: FLUSHES }, () => createGathered());
  for (const kind of kinds) {
    const events = eventsOf(random, chronicles[kind]);
    known.set(kind, foldInOrder(events));
    for (const [offset, event] of events.entries()) pick(random, flushes).add(event, at(offset));
    // A flush may come twice, and stretches may overlap.
    for (const [offset, event] of events.entries()) if (random() < 0.2) pick(random, flushes).add(event, at(offset));
  }
  const store = createHistoryStore(database.client);
  for (const [i, rows] of shuffled(random, [...flushes, ...flushes]).entries()) {
    await store.insert(rows.byTable(), [
      { topic: "any", partition: 0, logId: "any", rankBase: 0, first: i, next: i + 1 },
    ]);
  }
});

const at = (offset: number) => ({ partition: 0, offset, recordedAt: 0 });

/** Each begins with its creation. */
function eventsOf(random: Random, description: AnyChronicleDescription): ChronicleEvent[] {
  const created = Array.from({ length: CHRONICLES }, (_, i) => anyCreation(random, description, idOf(i)));
  const changed = Array.from({ length: CHANGES }, () =>
    anyChange(random, description, idOf(Math.floor(random() * CHRONICLES))),
  );
  return [...created, ...changed];
}

function foldInOrder(events: readonly ChronicleEvent[]): readonly Known[] {
  const byId = new Map<string, Known | undefined>();
  for (const event of events) {
    const { id } = event.event;
    if (byId.has(id) && byId.get(id) === undefined) continue;
    byId.set(id, evolveChronicle<object>(byId.get(id) as never, event) as Known | undefined);
  }
  return [...byId.values()].filter((each) => each !== undefined);
}

const whole = (kind: ChronicleKind): readonly Known[] => known.get(kind) ?? [];
const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);

test.each(kinds)("%s: the fold in the history is the fold in memory", async (kind) => {
  const ids = Array.from({ length: CHRONICLES + 1 }, (_, i) => idOf(i));

  const found = await chronicleQueries[kind].byIds(database.client, ids);

  expect([...found].sort(byId), `FILTERS_SEED=${seed}`).toEqual([...whole(kind)].sort(byId));
  expect(found.length).toBeGreaterThan(CHRONICLES / 2);
  expect(found.length).toBeLessThan(CHRONICLES);
  const deleted = await chronicleQueries[kind].deletedOf(database.client, ids);
  expect(deleted).toHaveLength(CHRONICLES - found.length);
});

test("images that are added again and again are kept once", async () => {
  const result = await database.client.query({
    query: `SELECT sum(length(added_image_ids)) AS kept, sum(length(arrayDistinct(mapKeys(added_image_ids)))) AS distinct
      FROM activity_chronicles_v1 FINAL`,
    format: "JSONEachRow",
  });
  const [{ kept, distinct } = { kept: "0", distinct: "" }] = await result.json<{ kept: string; distinct: string }>();

  expect(Number(kept)).toBeGreaterThan(0);
  expect(kept).toBe(distinct);
});

/** Lists of activities may have ids of deleted ones, and these count no more. */
const isThere = (kind: ChronicleKind) => (id: string) => whole(kind).some((each) => each.id === id);

function withoutDeleted(chronicle: Known): Known {
  const left = (field: string, kind: ChronicleKind) => {
    const ids = chronicle[field];
    return Array.isArray(ids) ? { [field]: ids.filter(isThere(kind)) } : {};
  };
  return {
    ...chronicle,
    ...left("activityChronicleIds", "activityChronicle"),
    ...left("eventChronicleIds", "eventChronicle"),
  };
}

const sides = {
  activityChronicle: { filter: anyActivityFilter, fields: activityFields },
  eventChronicle: { filter: anyEventChronicleFilter, fields: eventChronicleFields },
  summaryChronicle: { filter: anySummaryFilter, fields: summaryFields },
};

const sortFields: { readonly [K in ChronicleKind]: readonly string[] } = {
  activityChronicle: ["ID", "START_TIME", "END_TIME", "NAME", "PRIORITY", "STATUS"],
  eventChronicle: ["ID", "TIMESTAMP", "NAME", "PRIORITY", "STATUS"],
  summaryChronicle: ["ID", "START_TIME", "END_TIME", "NAME", "PRIORITY", "STATUS"],
};

const memberOf: Readonly<Record<string, string>> = {
  ...{ ID: "id", START_TIME: "startTime", END_TIME: "endTime", TIMESTAMP: "timestamp" },
  ...{ NAME: "name", PRIORITY: "priority", STATUS: "status" },
};

/** Missing values are the greatest. Texts compare by their bytes. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

function inOrder(found: readonly Known[], sort: readonly Sort<string>[]): readonly string[] {
  const by = [...sort, { field: "ID", direction: "ASC" }];
  return [...found]
    .sort((a, b) => {
      for (const { field, direction } of by) {
        const member = memberOf[field] ?? "id";
        const difference = compare(a[member], b[member]);
        if (difference !== 0) return direction === "ASC" ? difference : -difference;
      }
      return 0;
    })
    .map(({ id }) => id);
}

describe.each(kinds)("%s", (kind) => {
  const { filter: anyFilter, fields } = sides[kind];
  const queries = chronicleQueries[kind];
  const history = () => ({ client: database.client, dataSourceIds: () => [] });

  async function allPages(filter: object, sort: readonly Sort<string>[], first: number): Promise<string[]> {
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const { edges, hasNextPage } = await queries.page(history(), { filter, sort, first, after });
      ids.push(...edges.map(({ node }) => node.id));
      after = hasNextPage ? edges.at(-1)?.cursor : undefined;
    } while (after !== undefined);
    return ids;
  }

  test("pages and counts are those of the simplest computation", { timeout: 600_000 }, async () => {
    const random = seeded(seed + 1);
    const subjects = whole(kind).map(withoutDeleted);
    for (let i = 0; i < PAGES; i++) {
      const filter = i % 4 === 0 ? {} : anyFilter(random);
      const sort = Array.from({ length: Math.floor(random() * 3) }, () => ({
        field: pick(random, sortFields[kind]),
        direction: pick(random, ["ASC", "DESC"] as const),
      }));
      const found = subjects.filter((each) => matches(fields as never, filter as never, each as never));

      const message = `FILTERS_SEED=${seed} ${JSON.stringify({ filter, sort })}`;
      expect(await allPages(filter, sort, 20 + Math.floor(random() * 200)), message).toEqual(inOrder(found, sort));
      expect(await queries.count(history(), filter), message).toBe(found.length);
    }
  });
});
