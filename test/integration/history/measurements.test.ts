// Measurements as a client reads them, against the same computed in plain TypeScript.
import { beforeAll, describe, expect, test } from "vitest";
import { measurementHistory } from "../../../projections/history/records/measurement.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import type { MeasurementFilter, MeasurementsSort } from "../../../schemas/filters.ts";
import { measurementId } from "../../../schemas/identity.ts";
import type { MeasurementRecorded } from "../../../schemas/records/measurement-recorded.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { any } from "../../support/random/any-values.ts";
import { createDatabase, type Database } from "./database.ts";
import { every, instant, text, when } from "./matches.ts";
import { pick, type Random, seeded, shuffled } from "./world.ts";

const random = seeded(31);
const idOf = ({ sensorId, timestamp, value }: MeasurementRecorded) => measurementId(sensorId, timestamp, value);

const anyMeasurement = (): MeasurementRecorded => ({
  sensorId: pick(random, any.sensors),
  timestamp: any.time(random),
  value: pick(random, ["1", "2.5", "", "Ärger"]),
});

/** Late ones and repeated ones among them. */
const log = Array.from({ length: 1_500 }, anyMeasurement);
const distinct = [...new Map(log.map((each) => [idOf(each), each])).values()];
let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  const store = createHistoryStore(database.client);
  for (const [i, round] of [log, shuffled(random, log)].entries()) {
    for (let first = 0; first < round.length; first += 400) {
      const rows = createGathered();
      for (const [k, event] of round.slice(first, first + 400).entries()) {
        rows.add({ type: "MeasurementRecorded", event }, { partition: 0, offset: first + k, recordedAt: 0 });
      }
      const covered = { topic: "any", partition: i, logId: "any", rankBase: 0, first, next: first + 400 };
      await store.insert(rows.byTable(), [covered]);
    }
  }
});

const history = () => ({ client: database.client, dataSourceIds: () => [] });

const fulfils = (filter: MeasurementFilter, one: MeasurementRecorded): boolean =>
  every(
    filter,
    [when(filter.sensorId, (id) => text(one.sensorId, id)), when(filter.time, (time) => instant(one.timestamp, time))],
    (inner) => fulfils(inner, one),
  );

function inOrder(sort: readonly MeasurementsSort[]) {
  return (a: MeasurementRecorded, b: MeasurementRecorded): number => {
    for (const { field, direction } of [...sort, { field: "ID", direction: "ASC" } as const]) {
      const [x, y] = field === "ID" ? [idOf(a), idOf(b)] : [a.timestamp, b.timestamp];
      if (x !== y) return (x < y ? -1 : 1) * (direction === "ASC" ? 1 : -1);
    }
    return 0;
  };
}

async function walk(filter: MeasurementFilter, sort: readonly MeasurementsSort[], first: number) {
  const found: MeasurementRecorded[] = [];
  for (let after: string | undefined; ; ) {
    const page = await measurementHistory.page(history(), { filter, sort, first, after });
    found.push(...page.edges.map(({ node }) => node));
    if (!page.hasNextPage) return found;
    after = page.edges.at(-1)?.cursor;
  }
}

const range = (from: Random): MeasurementFilter => {
  const [a, b] = [any.time(from), any.time(from)];
  return { time: { between: [Math.min(a, b), Math.max(a, b)] } };
};

describe.each<[string, MeasurementsSort[], MeasurementFilter]>([
  ["all, by time", [{ field: "TIMESTAMP", direction: "ASC" }], {}],
  ["all, the newest first", [{ field: "TIMESTAMP", direction: "DESC" }], {}],
  ["all, by id", [{ field: "ID", direction: "DESC" }], {}],
  ["of a sensor", [{ field: "TIMESTAMP", direction: "DESC" }], { sensorId: { eq: "sensor-b" } }],
  ["of a range", [{ field: "TIMESTAMP", direction: "ASC" }], range(random)],
  ["of a sensor and a range", [], { ...range(random), sensorId: { in: ["sensor-a", "sensor-c"] } }],
  ["of other sensors", [], { not: { sensorId: { eq: "sensor-a" } } }],
])("measurements %s", (_, sort, filter) => {
  test("are on the pages, each once, and counted", async () => {
    const expected = distinct.filter((each) => fulfils(filter, each)).sort(inOrder(sort));

    expect(await walk(filter, sort, 97)).toEqual(expected);
    expect(await measurementHistory.count(history(), filter)).toBe(expected.length);
  });
});
