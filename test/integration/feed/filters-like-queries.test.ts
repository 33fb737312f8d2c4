// The filter of a subscription and that of the query agree on a track once everything is known of it.
import { expect, test } from "vitest";
import { createCatalog } from "../../../projections/catalog/catalog.ts";
import { createDataSourceIds } from "../../../projections/catalog/data-source-ids.ts";
import { foldCameraLog } from "../../../projections/feed/fold-camera-log.ts";
import { createTrackMemory, rememberTrack } from "../../../projections/feed/track-memory.ts";
import { type TrackMessage, tracksFeed } from "../../../projections/feed/tracks.ts";
import { positionsOfTracks } from "../../../projections/history/queries/positions-of-tracks.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import { tracksPage } from "../../../projections/history/queries/tracks.ts";
import type { CameraLogEvent, Detection } from "../../../schemas/events.ts";
import type { FilterTrackMessageInput } from "../../../schemas/filters.ts";
import { createPositionFinder } from "../../../services/api/feed/find-positions.ts";

import { createLog } from "../../../services/common/log.ts";
import { howMany } from "../../support/random/how-many.ts";
import { dataSourceCreated } from "../../support/scenes/catalog.ts";
import { createDatabase, fillInAnyOrder } from "../history/database.ts";
import { trackFilter } from "../history/random-filters.ts";
import { createWorld, pick, type Random, seeded, sources, type World, worldOf } from "../history/world.ts";

const FILTERS = howMany({ short: 40, full: 100 });
const log = createLog("test", "silent");
const catalog = createCatalog();
for (const [i, dataSourceId] of sources.slice(0, 2).entries()) {
  const fields = i === 0 ? { labels: ["north"] } : { type: "FOLDER" as const };
  catalog.apply(dataSourceCreated(dataSourceId, fields), i);
}

/** The fields that both filters have, and the data sources that the query knows. */
function bothFilter(random: Random): FilterTrackMessageInput {
  if (random() < 0.2) {
    return pick<FilterTrackMessageInput>(random, [
      { dataSourceType: { eq: "FOLDER" } },
      { dataSourceType: { ne: "FOLDER" } },
      { dataSourceType: { attributeExists: false } },
      { dataSourceLabels: { in: ["north"] } },
      { dataSourceLabels: { eq: [] } },
      { not: { siteId: { eq: "s" } } },
      { pointOfInterestId: { ne: "p" } },
    ]);
  }
  for (;;) {
    const filter = trackFilter(random);
    if (!/"(time|timeRange|finished)"/.test(JSON.stringify(filter))) return filter as FilterTrackMessageInput;
  }
}

/** Repetitions for a track and instant are equal: an instance that missed the first cannot know which one was first. */
function withoutContradictions(world: World): World {
  const first = new Map<string, Detection>();
  const sameAgain = (dataSourceId: string, detection: Detection): Detection => {
    const key = `${dataSourceId}/${detection.trackId}@${detection.timestamp}`;
    const reported = first.get(key) ?? detection;
    first.set(key, reported);
    return reported;
  };
  const log = world.log.map((entry) => {
    if (!("detections" in entry.message.event)) return entry;
    const { dataSourceId, detections } = entry.message.event;
    const event = { ...entry.message.event, detections: detections.map((each) => sameAgain(dataSourceId, each)) };
    return { ...entry, message: { ...entry.message, event } as CameraLogEvent };
  });
  return worldOf(log, world.changes);
}

/** `from`: the share of each partition's log before which no subscriber listened. */
async function lastMessages(seed: number, from: number) {
  const world = withoutContradictions(createWorld(seed));
  const database = await createDatabase();
  await fillInAnyOrder(database, world, seeded(seed + 50), 4);
  const history = { client: database.client, dataSourceIds: createDataSourceIds(catalog) };
  const { edges } = await tracksPage(history, { filter: {}, sort: [], first: 1_000 });

  const memory = createTrackMemory({ maxTracks: 1_000, maxPositions: 10_000 });
  if (from > 0) for (const { node } of edges) rememberTrack(memory, node);
  const finder = createPositionFinder(memory, {
    findPositions: (asked) => positionsOfTracks(database.client, asked),
    log,
  });
  const last = new Map<string, TrackMessage>();
  for (const { message, partition, offset, recordedAt } of world.log.slice(world.log.length * from)) {
    const messages = foldCameraLog(memory, message, { offset, recordedAt });
    await finder.find([{ partition, offset, bytes: 0, messages }], () => true);
    for (const each of messages) if (each.kind === "tracks") last.set(trackKeyOf(each.track), each);
  }
  return { history, last };
}

test.for([
  [1, 0],
  [2, 0.5],
  [3, 0.9],
] as const)("seed %i, with nobody listening for the first %d of the log", async ([seed, from]) => {
  const { history, last } = await lastMessages(seed, from);
  const random = seeded(seed + 10);

  for (let i = 0; i < FILTERS; i++) {
    const filter = bothFilter(random);
    const { edges } = await tracksPage(history, { filter, sort: [], first: 1_000 });
    const queried = edges.map(({ node }) => trackKeyOf(node)).filter((id) => last.has(id));
    const reported = [...last.values()]
      .filter((message) => tracksFeed.matches(filter, message, { catalog, zonesOf: () => [], geofencesOf: () => [] }))
      .map(({ track }) => trackKeyOf(track));
    expect({ filter, ids: reported.sort() }).toEqual({ filter, ids: queried.sort() });
  }
});
