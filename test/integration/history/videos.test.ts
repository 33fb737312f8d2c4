// Videos as a client reads them, against a fold of the same log in plain TypeScript. FILTERS_SEED repeats a run.
import { beforeAll, describe, expect, test } from "vitest";
import { coveringVideos } from "../../../projections/history/queries/covering-videos.ts";
import type { VideoRecord } from "../../../projections/history/queries/records.ts";
import { videoHistory } from "../../../projections/history/records/video.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import type { SortDirection, VideoFilter, VideosSort } from "../../../schemas/filters.ts";
import type { VideoChanged, VideoFields } from "../../../schemas/records/video-changed.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { anyVideoFilter } from "../../support/random/any-filters.ts";
import { any } from "../../support/random/any-values.ts";
import { createDatabase, type Database, setMerges } from "./database.ts";
import { every, instant, text, when } from "./matches.ts";
import { pick, type Random, seeded, shuffled } from "./world.ts";

const seed = Number(process.env["FILTERS_SEED"] ?? Math.floor(Math.random() * 1e9));
const random = seeded(seed);
const FIELDS = ["endTime", "thumbnailPath", "displayName", "frameRate", "resolutionHeight", "resolutionWidth"] as const;

type Values = { -readonly [F in keyof VideoFields]: VideoFields[F] | null };
const some = <T>(share: number, value: T): T | null => (random() < share ? value : null);

function anyValues(share: number): Values {
  const startTime = some(share, any.time(random));
  return {
    startTime,
    endTime: some(share / 2, any.time(random) + 10_000),
    path: some(share, `v/${Math.floor(random() * 1e6)}.mp4`),
    thumbnailPath: some(share, "v/t.jpg"),
    displayName: some(share, pick(random, any.words)),
    frameRate: some(share, random() * 50 + 1),
    resolutionHeight: some(share, "1080"),
    resolutionWidth: some(share, "1920"),
  };
}

/** Creations, repeated ones among them, and updates, also of videos that nobody creates. */
function anyEvent(): VideoChanged {
  const id = pick(random, any.ids);
  // A video never changes its data source.
  const at = { id, dataSourceId: any.sources[Number(id.slice(1)) % 4] ?? "unknown", at: 0 };
  if (random() < 0.3) {
    const { startTime, path, ...others } = anyValues(0.7);
    const set = { ...others, startTime: startTime ?? any.time(random), path: path ?? "v/none.mp4" };
    return { ...at, change: "created", set, cleared: [] };
  }
  const set = anyValues(0.2);
  return { ...at, change: "updated", set, cleared: FIELDS.filter((field) => set[field] === null && random() < 0.2) };
}

const log = Array.from({ length: 400 }, anyEvent);

/** The first creation, with every update of the log on it, wherever it stands. */
function folded(): VideoRecord[] {
  const ids = [...new Set(log.map(({ id }) => id))];
  return ids.flatMap((id) => {
    const mine = log.filter((event) => event.id === id);
    const created = mine.find(({ change }) => change === "created");
    if (created === undefined) return [];
    const video: Record<string, unknown> = { id, dataSourceId: created.dataSourceId, ...created.set };
    for (const { change, set, cleared } of mine) {
      if (change === "created") continue;
      for (const [field, value] of Object.entries(set)) if (value !== null) video[field] = value;
      for (const field of cleared) video[field] = null;
    }
    return [video as unknown as VideoRecord];
  });
}

const videos = folded();
let database: Database;
const history = () => ({ client: database.client, dataSourceIds: () => [] });

beforeAll(async () => {
  database = await createDatabase();
  await setMerges(database, "STOP");
  const store = createHistoryStore(database.client);
  const offsets = log.map((event, offset) => ({ event, offset }));
  // Twice, in other pieces and another order.
  for (const [round, events] of [shuffled(random, offsets), shuffled(random, offsets)].entries()) {
    for (let first = 0; first < events.length; first += 90 + round * 70) {
      const rows = createGathered();
      for (const { event, offset } of events.slice(first, first + 90 + round * 70)) {
        rows.add({ type: "VideoChanged", event }, { partition: 0, offset, recordedAt: 0 });
      }
      const covered = { topic: "any", partition: round, logId: "any", rankBase: 0, first, next: first + 1 };
      await store.insert(rows.byTable(), [covered]);
    }
  }
});

const fulfils = (filter: VideoFilter, one: VideoRecord): boolean =>
  every(
    filter,
    [
      when(filter.id, (id) => text(one.id, id)),
      when(filter.dataSourceId, (id) => text(one.dataSourceId, id)),
      when(filter.startTime, (time) => instant(one.startTime, time)),
      when(filter.endTime, (time) =>
        one.endTime === null
          ? time.eq == null && time.between == null && time.attributeExists !== true
          : instant(one.endTime, time),
      ),
    ],
    (inner) => fulfils(inner, one),
  );

const sorted = ({ id, dataSourceId, startTime, endTime }: VideoRecord, field: VideosSort["field"]) =>
  ({ ID: id, DATA_SOURCE_ID: dataSourceId, START_TIME: startTime, END_TIME: endTime ?? Infinity })[field];

const inOrder = (sort: readonly VideosSort[]) => (a: VideoRecord, b: VideoRecord) => {
  for (const { field, direction } of [...sort, { field: "ID", direction: "ASC" } as const]) {
    const [x, y] = [sorted(a, field), sorted(b, field)];
    if (x !== y) return (x < y ? -1 : 1) * (direction === "ASC" ? 1 : -1);
  }
  return 0;
};

async function walk(filter: VideoFilter, sort: readonly VideosSort[], first: number): Promise<VideoRecord[]> {
  const found: VideoRecord[] = [];
  for (let after: string | undefined; ; ) {
    const page = await videoHistory.page(history(), { filter, sort, first, after });
    found.push(...page.edges.map(({ node }) => node));
    if (!page.hasNextPage) return found;
    after = page.edges.at(-1)?.cursor;
  }
}

const directions: readonly SortDirection[] = ["ASC", "DESC"];
const sorts = (["ID", "DATA_SOURCE_ID", "START_TIME", "END_TIME"] as const).flatMap((field) =>
  directions.map((direction): VideosSort[] => [{ field, direction }]),
);

describe.each(sorts)("videos by $field $direction", (sort) => {
  test("are on the pages as the log says them, each once, and counted", async () => {
    for (const filter of [{}, pick(random, [anyVideoFilter, rangeOf])(random)]) {
      const expected = videos.filter((each) => fulfils(filter, each)).sort(inOrder([sort]));

      expect(await walk(filter, [sort], 11), `FILTERS_SEED=${seed} ${JSON.stringify(filter)}`).toEqual(expected);
      expect(await videoHistory.count(history(), filter)).toBe(expected.length);
    }
  });
});

function rangeOf(from: Random): VideoFilter {
  const [a, b] = [any.time(from), any.time(from)];
  return { startTime: { between: [Math.min(a, b), Math.max(a, b)] }, dataSourceId: { ne: "ds-a" } };
}

test("videos are found by their ids", async () => {
  const found = await videoHistory.byIds(database.client, [...any.ids, "nobody"]);

  expect(found.sort(inOrder([]))).toEqual(videos.toSorted(inOrder([])));
});

test("of two videos with one id, the one counts that the log recorded first", async () => {
  const rows = createGathered();
  const set = { ...anyValues(1), startTime: 1, path: "v/a.mp4" };
  // The clocks of the writers say that the second was first.
  const creations = [
    { source: "twin-b", at: 9_000, recordedAt: 2_000 },
    { source: "twin-a", at: 1_000, recordedAt: 3_000 },
  ];
  for (const { source, at, recordedAt } of creations) {
    const event: VideoChanged = { id: "twin", dataSourceId: source, at, change: "created", set, cleared: [] };
    rows.add({ type: "VideoChanged", event }, { partition: 0, offset: 0, recordedAt });
  }
  const twins = await createDatabase();
  const covered = { topic: "any", partition: 0, logId: "any", rankBase: 0, first: 0, next: 1 };
  await createHistoryStore(twins.client).insert(rows.byTable(), [covered]);

  expect(await videoHistory.byIds(twins.client, ["twin"])).toMatchObject([{ dataSourceId: "twin-b" }]);
});

test("a period is covered by the latest video that contains it", async () => {
  const refs = Array.from({ length: 200 }, () => {
    const from = any.time(random);
    return { dataSourceId: pick(random, any.sources), from, to: from + Math.floor(random() * 100) * 100 };
  });
  const expected = refs.map(({ dataSourceId, from, to }) => {
    const covering = videos.filter(
      (video) => video.dataSourceId === dataSourceId && video.startTime <= from && (video.endTime ?? Infinity) >= to,
    );
    return covering.sort((a, b) => b.startTime - a.startTime || (a.id < b.id ? -1 : 1))[0];
  });

  expect(await coveringVideos(database.client, refs), `FILTERS_SEED=${seed}`).toEqual(expected);
});
