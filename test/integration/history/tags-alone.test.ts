// Pages and counts of stays and of tracks with a tag and no other condition. A page reads the beginning of the
// history first.
import { beforeAll, expect, test } from "vitest";
import { intersectionsCount, intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import { tracksCount, tracksPage } from "../../../projections/history/queries/tracks.ts";
import { createdRank, updatedRank } from "../../../projections/rank.ts";
import { intersectionsSummary } from "../../../projections/summaries/intersections.ts";
import type { FilterTrackInput, SortDirection, ZoneIntersectionFilter } from "../../../schemas/filters.ts";
import { createScene } from "../summaries/scene.ts";
import { createDatabase, type Database, setMerges } from "./database.ts";
import { START, seeded } from "./world.ts";

/** More than a page looks through row by row. */
const STAYS = 21_000;
const FIRST = 200;
const random = seeded(91);
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const RARE_EVERY = 1_000;

/**
 * A track with one stay. `headers` has the tags that its header had one after the other; the rank of the first shows
 * whether it is the tag of the track's creation.
 */
interface Tagged {
  readonly id: string;
  readonly zoneId: string;
  readonly recorded: string;
  readonly headers: readonly { readonly tag: string; readonly rank: number }[];
}

const tagged = Array.from({ length: STAYS }, (_, i): Tagged => {
  const offset = 10 * i;
  const id = String(i).padStart(8, "0");
  const [recorded, other] = [oneOf(["car", "Bus", ""]), i % RARE_EVERY === 7 ? "Tram" : oneOf(["CAR", "bus", "van"])];
  const created = { tag: i % RARE_EVERY === 9 ? "tram" : oneOf(["bike", "bus"]), rank: createdRank(offset) };
  const corrected = [oneOf(["van", "tram", "bus"]), other].map((tag, n) => ({ tag, rank: updatedRank(offset + n) }));
  const headers = oneOf([[], [created], [created, ...corrected], [created, ...corrected.slice(1)], corrected]);
  return { id, zoneId: `zone-${i % 7}`, recorded, headers };
});

/** Without a header, the track has the tag that its stay was recorded with. */
const currentTag = ({ recorded, headers }: Tagged): string => headers.at(-1)?.tag ?? recorded;

let database: Database;

beforeAll(async () => {
  database = await createDatabase();
  await setMerges(database, "STOP");
  const at = (i: number) => START + i * 1_000;
  const stays = tagged.map(({ id, zoneId, recorded: tag }, i) => ({
    ...{ intersection_id: id, zone_id: zoneId, track_id: id, data_source_id: "ds", tag },
    ...{ start_time: at(i), end_time: at(i), last_inside: at(i) },
  }));
  await database.client.insert({ table: "zone_intersections_v1", values: stays, format: "JSONEachRow" });
  for (let version = 0; version < 3; version++) {
    const rows = tagged.flatMap(({ id, headers }, i) => {
      const header = headers[version];
      return header === undefined
        ? []
        : [{ data_source_id: "ds", track_id: id, header_tag: [header.rank, header.tag], created_at: at(i) }];
    });
    await database.client.insert({ table: "tracks_v1", values: rows, format: "JSONEachRow" });
  }
});

const history = () => ({ client: database.client, dataSourceIds: () => [] });

async function allPages(filter: ZoneIntersectionFilter, direction: SortDirection): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const sort = [{ field: "START_TIME", direction } as const];
    const { edges, hasNextPage } = await intersectionsPage(history(), { filter, sort, first: FIRST, after });
    ids.push(...edges.map(({ node }) => node.intersectionId));
    after = hasNextPage ? edges.at(-1)?.cursor : undefined;
  } while (after !== undefined);
  return ids;
}

const is =
  (...tags: string[]) =>
  (each: Tagged) =>
    tags.includes(currentTag(each).toLowerCase());
const inZone = (each: Tagged) => each.zoneId === "zone-3";

const cases: readonly [string, ZoneIntersectionFilter, (each: Tagged) => boolean][] = [
  ["a rare tag", { tag: { eq: "TRAM" } }, is("tram")],
  ["a tag that no stay has", { tag: { eq: "ship" } }, is("ship")],
  ["tags of which one is rare", { or: [{ tag: { eq: "tram" } }, { tag: { eq: "bike" } }] }, is("tram", "bike")],
  ["no tag but rare ones", { not: { tag: { in: ["car", "bus", "van", "bike", ""] } } }, is("tram")],
  [
    "a tag or a zone",
    { or: [{ tag: { eq: "tram" } }, { zoneId: { eq: "zone-3" } }] },
    (each) => is("tram")(each) || inZone(each),
  ],
  [
    "a tag and a zone",
    { and: [{ tag: { like: "ra" } }, { zoneId: { eq: "zone-3" } }] },
    (each) => is("tram")(each) && inZone(each),
  ],
];

test.each(cases)("stays by %s are those of the tracks that have it now", async (_case, filter, holds) => {
  const wanted = tagged.filter(holds).map(({ id }) => id);

  expect(await allPages(filter, "ASC")).toEqual(wanted);
  expect(await allPages(filter, "DESC")).toEqual(wanted.toReversed());
  expect(await intersectionsCount(history(), filter)).toBe(wanted.length);
});

test("the first pages by a frequent tag are those of the tracks that have it now", async () => {
  const wanted = tagged.filter(is("bus")).map(({ id }) => id);
  const sort = [{ field: "START_TIME", direction: "ASC" } as const];

  const { edges, hasNextPage } = await intersectionsPage(history(), {
    filter: { tag: { eq: "bus" } },
    sort,
    first: FIRST,
  });

  expect(edges.map(({ node }) => node.intersectionId)).toEqual(wanted.slice(0, FIRST));
  expect(hasNextPage).toBe(true);
});

const known = tagged.filter(({ headers }) => headers.length > 0);
const has = (...tags: string[]) =>
  known.filter(({ headers }) => tags.includes(headers.at(-1)?.tag.toLowerCase() ?? ""));

test.each<[string, FilterTrackInput, readonly Tagged[]]>([
  ["a rare tag", { tag: { eq: "Tram" } }, has("tram")],
  ["a tag that no track has", { tag: { eq: "ship" } }, []],
  ["no tag but a rare one", { not: { tag: { in: ["car", "bus", "van", "bike"] } } }, has("tram")],
  [
    "tags beside another condition",
    { and: [{ or: [{ tag: { eq: "tram" } }, { tag: { eq: "ship" } }] }], not: { id: { eq: "none" } } },
    has("tram"),
  ],
  ["a tag or an id", { or: [{ tag: { eq: "ship" } }, { id: { eq: known[0]?.id } }] }, known.slice(0, 1)],
])("tracks by %s are those that have it now", async (_case, filter, wanted) => {
  const ids = wanted.map(({ id }) => id);
  const idsOf = async (direction: SortDirection, field: "ID" | "TRACK_START_TIME") => {
    const { edges } = await tracksPage(history(), { filter, sort: [{ field, direction }], first: FIRST });
    return edges.map(({ node }) => node.trackId);
  };

  expect(await idsOf("ASC", "TRACK_START_TIME")).toEqual(ids.slice(0, FIRST));
  expect(await idsOf("DESC", "TRACK_START_TIME")).toEqual(ids.toReversed().slice(0, FIRST));
  expect(await idsOf("ASC", "ID")).toEqual(ids.slice(0, FIRST));
  expect(await tracksCount(history(), filter)).toBe(ids.length);
});

test("a track that is created again after live state has forgotten it has the tag of its first creation, or of an update", async () => {
  const zone = "zone again";
  const tracks = [
    {
      id: "again",
      headers: [
        [createdRank(5), "tuk"],
        [createdRank(900), "cab"],
      ],
      stays: ["tuk", "cab"],
    },
    {
      id: "again and corrected",
      headers: [
        [createdRank(6), "tuk"],
        [updatedRank(800), "cab"],
        [createdRank(901), "tuk"],
      ],
      stays: ["cab", "tuk"],
    },
  ];
  for (const { id, headers, stays } of tracks) {
    for (const header_tag of headers) {
      const values = [{ data_source_id: "ds", track_id: id, header_tag, created_at: START }];
      await database.client.insert({ table: "tracks_v1", values, format: "JSONEachRow" });
    }
    const values = stays.map((tag, i) => ({
      intersection_id: `${id} ${i}`,
      zone_id: zone,
      track_id: id,
      data_source_id: "ds",
      tag,
      start_time: START + i,
      end_time: START + i,
      last_inside: START + i,
    }));
    await database.client.insert({ table: "zone_intersections_v1", values, format: "JSONEachRow" });
  }

  for (const filter of [
    { zoneId: { eq: zone } },
    { time: { between: [START, START + 1] } },
  ] as ZoneIntersectionFilter[]) {
    const has = (tag: string) => allPages({ ...filter, tag: { eq: tag } }, "ASC");
    expect(await has("TUK")).toEqual(["again 0", "again 1"]);
    expect(await has("cab")).toEqual(["again and corrected 0", "again and corrected 1"]);
    expect(await intersectionsCount(history(), { ...filter, tag: { eq: "tuk" } })).toBe(2);
  }
  const range = { from: START, to: START + 10 };
  const grouping = { dimensions: [intersectionsSummary.dimensions["TAG"]].flatMap((each) => each ?? []) };
  const question = { range, strategy: "STARTED", grouping, maxBuckets: 10 } as const;
  const asked = { ...createScene(), client: database.client, filter: { zoneId: { eq: zone } }, question };
  const { buckets } = await intersectionsSummary.summarize(asked);
  expect(buckets?.map(({ values, tally }) => [...values, tally.total])).toEqual([
    ["cab", 2],
    ["tuk", 2],
  ]);
});
