// Each list query skips rows by a column of a table's order. The store itself explains by which.
import { readdirSync, readFileSync } from "node:fs";
import type { ClickHouseClient } from "@clickhouse/client";
import { beforeAll, expect, test } from "vitest";
import { chronicleQueries } from "../../../projections/history/chronicles/pages.ts";
import { detectionsPage } from "../../../projections/history/queries/detections.ts";
import { geofenceIntersectionsPage, intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import type { History } from "../../../projections/history/queries/records.ts";
import { tracksPage } from "../../../projections/history/queries/tracks.ts";
import { imageHistory } from "../../../projections/history/records/image.ts";
import { measurementHistory } from "../../../projections/history/records/measurement.ts";
import { videoHistory } from "../../../projections/history/records/video.ts";
import { createGathered, type HistoryEvent } from "../../../projections/history/rows/gather.ts";
import type { EventType } from "../../../schemas/events.ts";
import { projectedTopics, topics } from "../../../schemas/topics.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { createDatabase, type Database } from "./database.ts";

const EXAMPLES = new URL("../../../schemas/examples/", import.meta.url);
let database: Database;

/** A table without rows has nothing to explain. */
beforeAll(async () => {
  database = await createDatabase();
  const gathered = createGathered();
  for (const type of projectedTopics.flatMap<EventType>((topic) => topics[topic].records)) {
    for (const file of readdirSync(new URL(`${type}/`, EXAMPLES))) {
      const event = JSON.parse(readFileSync(new URL(`${type}/${file}`, EXAMPLES), "utf8"));
      gathered.add({ type, event } as HistoryEvent, { partition: 0, offset: 1, recordedAt: 1 });
    }
  }
  const stretch = { topic: "any", partition: 0, logId: "any", rankBase: 0, first: 0, next: 1 };
  await createHistoryStore(database.client).insert(gathered.byTable(), [stretch]);
});

const text = readFileSync(new URL("../../../docs/queries.md", import.meta.url), "utf8");
const [, table = ""] = text.split("\n## Filters that make a query fast\n");
const documented = new Map([...table.matchAll(/^\| (.*?) \| (.*?) \|$/gm)].map(([, name = "", keys]) => [name, keys]));

const time = { between: [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)] };
const page = { sort: [], first: 20 };

const questions: Readonly<Record<string, (history: History) => Promise<unknown>>> = {
  "detections of a data source": (h) => detectionsPage(h, { ...page, filter: { time, dataSourceId: { eq: "d" } } }),
  "detections of a track": (h) => detectionsPage(h, { ...page, filter: { time, trackId: { eq: "t" } } }),
  "detections of a day": (h) => detectionsPage(h, { ...page, filter: { time } }),
  "tracks by id": (h) => tracksPage(h, { ...page, filter: { id: { in: ["t"] } } }),
  "tracks of a data source": (h) => tracksPage(h, { ...page, filter: { time, dataSourceId: { eq: "d" } } }),
  "tracks of a day": (h) => tracksPage(h, { ...page, filter: { time } }),
  "zone intersections of a zone": (h) => intersectionsPage(h, { ...page, filter: { time, zoneId: { eq: "z" } } }),
  "zone intersections of a day": (h) => intersectionsPage(h, { ...page, filter: { time } }),
  "geofence intersections of a geofence": (h) =>
    geofenceIntersectionsPage(h, { ...page, filter: { time, geofenceId: { eq: "g" } } }),
  "geofence intersections of a day": (h) => geofenceIntersectionsPage(h, { ...page, filter: { time } }),
  "measurements of a sensor": (h) => measurementHistory.page(h, { ...page, filter: { time, sensorId: { eq: "s" } } }),
  "images of a data source": (h) =>
    imageHistory.page(h, { ...page, filter: { timestamp: time, dataSourceId: { eq: "d" } } }),
  "videos of a data source": (h) =>
    videoHistory.page(h, { ...page, filter: { startTime: time, dataSourceId: { eq: "d" } } }),
  "activities of a day": (h) => chronicleQueries.activityChronicle.page(h, { ...page, filter: { startTime: time } }),
  "activities by id": (h) => chronicleQueries.activityChronicle.page(h, { ...page, filter: { id: { eq: "a" } } }),
};

test.for(Object.entries(questions))("%s skips rows by the column that docs/queries.md names", async ([name, ask]) => {
  const asked: Asked[] = [];
  const query = (each: Asked) => {
    asked.push(each);
    return database.client.query({ ...each, format: "JSONEachRow" });
  };
  await ask({ client: { ...database.client, query: query as ClickHouseClient["query"] }, dataSourceIds: () => [] });

  const used = new Set<string>();
  for (const each of asked) {
    const explained = await database.client.query({
      ...each,
      query: `EXPLAIN indexes = 1 ${each.query}`,
      format: "TabSeparatedRaw",
    });
    for (const read of keysUsed(await explained.text())) used.add(read);
  }

  expect([...used].join("; ")).toBe(documented.get(name));
});

type Asked = Parameters<ClickHouseClient["query"]>[0];

/**
 * Returns the first column by which the store skips rows, for each table that it reads. The column is of the table's
 * order or of a projection's.
 */
function keysUsed(plan: string): string[] {
  const lines = plan.split("\n").map((line) => line.replaceAll(/[│└├─ ]/g, ""));
  return lines.flatMap((line, i) => {
    if (line !== "PrimaryKey") return [];
    const table = lines.slice(0, i).findLast((each) => each.startsWith("ReadFromMergeTree"));
    return [`${table?.match(/\.(\w+)/)?.[1]}: ${lines[i + 2]}`];
  });
}
