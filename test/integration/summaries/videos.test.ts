// videosSummary: videos that end late or not at all, whose end is set again, and whose events come twice.
import { beforeAll, test } from "vitest";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import { videosSummary } from "../../../projections/summaries/videos.ts";
import type { FilterVideosSummaryInput } from "../../../schemas/graphql/inputs.ts";
import type { VideoFields } from "../../../schemas/records/video-changed.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { createDatabase, type Database } from "../history/database.ts";
import { every, text, when } from "../history/matches.ts";
import { pick, type Random, START, seeded, shuffled, sources } from "../history/world.ts";
import { agree, seed } from "./agree.ts";
import { anySourceId, nested, placeOf } from "./any-questions.ts";
import { createScene, later } from "./scene.ts";

interface Video {
  readonly dataSourceId: string;
  startTime: number;
  endTime: number | null;
}

const NOTHING: { readonly [F in keyof VideoFields]: null } = {
  startTime: null,
  endTime: null,
  path: null,
  thumbnailPath: null,
  displayName: null,
  frameRate: null,
  resolutionHeight: null,
  resolutionWidth: null,
};

const scene = createScene();
const videos: Video[] = [];
let database: Database;

const anyTime = (random: Random) => later(START + Math.floor(random() * 600) * 100);

beforeAll(async () => {
  const random = seeded(seed);
  database = await createDatabase();
  const flushes = [createGathered(), createGathered(), createGathered()];
  let offset = 0;
  for (let i = 0; i < 80; i++) {
    const video: Video = { dataSourceId: pick(random, sources), startTime: anyTime(random), endTime: null };
    const base = { id: `v${i}`, dataSourceId: video.dataSourceId, at: 0 };
    const add = (change: "created" | "updated", set: object, cleared: readonly "endTime"[] = []) =>
      pick(random, flushes).add(
        { type: "VideoChanged", event: { ...base, change, set: { ...NOTHING, ...set }, cleared } },
        { partition: 0, offset: offset++, recordedAt: 0 },
      );
    add("created", { startTime: video.startTime, path: "p" });
    for (let update = Math.floor(random() * 4); update > 0; update--) {
      const isTakenBack = random() < 0.2;
      video.endTime = isTakenBack ? null : anyTime(random);
      if (random() < 0.2) video.startTime = anyTime(random);
      add("updated", { startTime: video.startTime, endTime: video.endTime }, isTakenBack ? ["endTime"] : []);
    }
    videos.push(video);
  }
  for (const [i, rows] of shuffled(random, [...flushes, ...flushes]).entries()) {
    const covered = { topic: "any", partition: 0, logId: "any", rankBase: 0, first: i, next: i + 1 };
    await createHistoryStore(database.client).insert(rows.byTable(), [covered]);
  }
});

test("of videos", { timeout: 600_000 }, async () => {
  await agree<FilterVideosSummaryInput, Video>(
    { database, scene },
    {
      kind: videosSummary,
      subjects: videos,
      anyFilter: (random) =>
        nested<FilterVideosSummaryInput>(random, () => (random() < 0.4 ? { dataSourceId: anySourceId(random) } : {})),
      passes: function passes(video, filter): boolean {
        const own = when(filter.dataSourceId, (given) => text(video.dataSourceId, given));
        return every(filter, [own], (inner) => passes(video, inner));
      },
      counted({ startTime, endTime, dataSourceId }) {
        const { source } = placeOf(dataSourceId);
        return { start: startTime, end: endTime, values: { DATA_SOURCE_ID: source === null ? [] : [source] } };
      },
    },
  );
});
