// activityChronicleSummary and eventsSummary: dimensions of which an activity has several values, positions by cell,
// and values from the metadata.
import { cellToLatLng, latLngToCell } from "h3-js";
import { beforeAll, expect, test } from "vitest";
import { evolveChronicle } from "../../../projections/chronicles/evolve.ts";
import { chronicles } from "../../../projections/chronicles/kinds.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import { activitiesSummary } from "../../../projections/summaries/activities.ts";
import { metadataDimension, positionDimension } from "../../../projections/summaries/dimensions.ts";
import { eventsSummaryKind } from "../../../projections/summaries/events.ts";
import type { ActivityChronicleFields } from "../../../schemas/chronicles/activity.ts";
import type {
  FilterActivityChronicleSummaryInput as Filter,
  FilterEventsSummaryInput as FilterOfEvents,
} from "../../../schemas/graphql/inputs.ts";
import { DAY_MS } from "../../../schemas/units.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { anyChange, anyCreation } from "../../support/random/any-chronicles.ts";
import { createDatabase, type Database } from "../history/database.ts";
import { every, instant, text, when } from "../history/matches.ts";
import { pick, type Random, START, seeded, shuffled } from "../history/world.ts";
import { agree, seed } from "./agree.ts";
import { nested } from "./any-questions.ts";
import { createScene, later } from "./scene.ts";

const ACTIVITIES = 60;
const CHANGES = 300;
const WORDS = ["person", "Person", "car", "it's"];
const DOCUMENTS = ['{"door":"north","n":1}', '{"door":{"a":[1]},"Door":true}', '{"door":null}', "[1]", '"text"'];

type Activity = ActivityChronicleFields & { readonly id: string };

const scene = createScene();
let database: Database;
let activities: Activity[];

beforeAll(async () => {
  const random = seeded(seed);
  database = await createDatabase();
  const description = chronicles.activityChronicle;
  const idOf = (i: number) => `a${i}`;
  const events = [
    ...Array.from({ length: ACTIVITIES }, (_, i) => anyCreation(random, description, idOf(i))),
    ...Array.from({ length: CHANGES }, () => anyChange(random, description, idOf(Math.floor(random() * ACTIVITIES)))),
  ].map((event) => fitted(random, event));

  const flushes = [createGathered(), createGathered(), createGathered()];
  const known = new Map<string, Activity | undefined>();
  for (const [offset, event] of events.entries()) {
    pick(random, flushes).add(event, { partition: 0, offset, recordedAt: 0 });
    const { id } = event.event;
    // A deletion is final.
    if (known.has(id) && known.get(id) === undefined) continue;
    known.set(id, evolveChronicle<ActivityChronicleFields>(known.get(id) as never, event));
  }
  const store = createHistoryStore(database.client);
  for (const [i, rows] of shuffled(random, [...flushes, ...flushes]).entries()) {
    const covered = { topic: "any", partition: 0, logId: "any", rankBase: 0, first: i, next: i + 1 };
    await store.insert(rows.byTable(), [covered]);
  }
  activities = [...known.values()].filter((each) => each !== undefined);
});

/** Times over some days, and values that the scene knows. */
function fitted(random: Random, message: ReturnType<typeof anyCreation>) {
  const { event } = message;
  if (!("set" in event)) return message;
  const set: Record<string, unknown> = { ...event.set };
  const put = (name: string, value: () => unknown) => {
    if (set[name] !== null) set[name] = value();
  };
  put("startTime", () => later(START + Math.floor(random() * 600) * 100));
  put("endTime", () => later(START + Math.floor(random() * 600) * 100));
  for (const name of ["name", "priority", "status", "description"]) put(name, () => pick(random, WORDS));
  put("metadata", () => pick(random, DOCUMENTS));
  put("chronicleProducerId", () => pick(random, ["producer-1", "unknown"]));
  put("siteIds", () => ["site-1", "site-2", "unknown"].filter(() => random() < 0.5));
  return { ...message, event: { ...event, set } } as typeof message;
}

const RESOLUTIONS = { COARSE: 4, FINE: 9 };

function cellOf({ position: place }: Activity, resolution: number): string[] {
  if (place === null) return [];
  const cell = latLngToCell(place.latitude, place.longitude, resolution);
  return [cell];
}

/** Returns the member `door` of the metadata as the store must see it. */
function doorOf({ metadata: document }: Activity): string[] {
  const parsed: unknown = document === null ? null : JSON.parse(document);
  const door = typeof parsed === "object" && parsed !== null && "door" in parsed ? parsed.door : null;
  return door === null ? [] : [typeof door === "string" ? door : JSON.stringify(door)];
}

const textOf = (value: string | null): string[] => (value === null ? [] : [value]);
const distinct = (values: readonly string[] | null): string[] => [...new Set(values)];
const among = (values: readonly string[] | null, known: readonly string[]) =>
  distinct(values).filter((each) => known.includes(each));

const list = (values: readonly string[] | null, { eq, in: all }: { eq?: unknown; in?: unknown }) => {
  const has = new Set(values);
  const contains = (wanted: unknown) => (wanted as string[]).every((each) => has.has(each));
  return (all == null || contains(all)) && (eq == null || (contains(eq) && has.size === new Set(eq as string[]).size));
};

function passes(activity: Activity, filter: Filter): boolean {
  const { name, priority, validation } = activity;
  return every(
    filter,
    [
      when(filter.startTime, (given) => instant(activity.startTime, given)),
      when(filter.name, (given) => text(name, given)),
      when(filter.description, (given) => text(activity.description, given)),
      when(filter.priority, (given) => text(priority, given)),
      when(filter.status, (given) => text(activity.status, given)),
      when(filter.approvalStatus, (given) => text(null, given)),
      when(filter.validationStatus, (given) => text(validation?.status ?? null, given)),
      when(filter.chronicleProducerId, (given) => text(activity.chronicleProducerId, given)),
      when(filter.labels, (given) => list(activity.labels, given)),
      when(filter.siteIds, (given) => list(activity.siteIds, given)),
      when(filter.dataSourceIds, (given) => list(activity.dataSourceIds, given)),
      when(filter.metadata, (given) => text(doorOf(activity)[0] ?? null, given.filter)),
    ],
    (inner) => passes(activity, inner),
  );
}

const anyFilter = (random: Random): Filter =>
  nested<Filter>(random, () => {
    const members: Filter[] = [
      { startTime: { between: [START, START + DAY_MS] } },
      { name: { eq: pick(random, WORDS) } },
      { description: { like: "PER" } },
      { priority: { ne: pick(random, WORDS) } },
      { status: { attributeExists: random() < 0.5 } },
      { approvalStatus: { attributeExists: random() < 0.3 } },
      { validationStatus: { in: ["VALID"] } },
      { chronicleProducerId: { eq: "producer-1" } },
      { labels: { in: ["north"] } },
      { siteIds: { eq: ["site-1", "site-2"] } },
      { dataSourceIds: { in: ["ds-a"] } },
      { metadata: { path: ["door"], filter: { like: "a" } } },
    ];
    return Object.assign({}, ...members.filter(() => random() < 0.08));
  });

test("of activities", { timeout: 600_000 }, async () => {
  await agree<Filter, Activity>(
    { database, scene },
    {
      kind: activitiesSummary,
      dimensions: {
        COARSE: inShort(positionDimension(RESOLUTIONS.COARSE)),
        FINE: inShort(positionDimension(RESOLUTIONS.FINE)),
        DOOR: metadataDimension(["door"]),
      },
      subjects: activities,
      anyFilter,
      passes,
      counted: (activity) => ({
        start: activity.startTime,
        end: activity.endTime,
        values: {
          NAME: [activity.name],
          DESCRIPTION: textOf(activity.description),
          PRIORITY: textOf(activity.priority),
          STATUS: textOf(activity.status),
          CHRONICLE_PRODUCER: among([activity.chronicleProducerId], ["producer-1"]),
          SITE: among(activity.siteIds, ["site-1", "site-2"]),
          DATA_SOURCE: among(activity.dataSourceIds, ["ds-a", "ds-b"]),
          LABEL: distinct(activity.labels),
          VALIDATION_STATUS: textOf(activity.validation?.status ?? null),
          APPROVAL_STATUS: [],
          COARSE: cellOf(activity, RESOLUTIONS.COARSE),
          FINE: cellOf(activity, RESOLUTIONS.FINE),
          DOOR: doorOf(activity),
        },
      }),
    },
  );
});

const subTypeOf = ({ labels }: Activity): string | null => labels?.[0] ?? null;

function passesAsEvent(activity: Activity, filter: FilterOfEvents): boolean {
  const { draft } = activity;
  return every(
    filter,
    [
      when(filter.eventProducerId, (given) => text(activity.chronicleProducerId, given)),
      when(filter.type, (given) => text(activity.name, given)),
      when(filter.subType, (given) => text(subTypeOf(activity), given)),
      when(filter.draft?.eq, (wanted) => draft === wanted),
      when(filter.draft?.ne, (other) => draft !== other),
      when(filter.draft?.attributeExists, (wanted) => (draft !== null) === wanted),
      when(filter.priority, (given) => text(activity.priority, given)),
      when(filter.validation, (given) => text(activity.validation?.status ?? null, given)),
      when(filter.metadata, (given) => text(doorOf(activity)[0] ?? null, given.filter)),
    ],
    (inner) => passesAsEvent(activity, inner),
  );
}

const anyFilterOfEvents = (random: Random): FilterOfEvents =>
  nested<FilterOfEvents>(random, () => {
    const members: FilterOfEvents[] = [
      { eventProducerId: { eq: "producer-1" } },
      { type: { in: ["person", "car"] } },
      { subType: pick(random, [{ eq: "north" }, { ne: "south" }, { attributeExists: false }]) },
      { draft: pick(random, [{ eq: true }, { ne: true }, { attributeExists: true }]) },
      { priority: { like: "PER" } },
      { validation: { ne: "VALID" } },
      { metadata: { path: ["door"], filter: { like: "a" } } },
    ];
    return Object.assign({}, ...members.filter(() => random() < 0.12));
  });

test("of the same activities as events", { timeout: 600_000 }, async () => {
  await agree<FilterOfEvents, Activity>(
    { database, scene },
    {
      kind: eventsSummaryKind,
      dimensions: { DOOR: metadataDimension(["door"]) },
      subjects: activities,
      anyFilter: anyFilterOfEvents,
      passes: passesAsEvent,
      counted: (activity) => ({
        start: activity.startTime,
        end: activity.endTime,
        values: {
          TYPE: [activity.name],
          SUB_TYPE: textOf(subTypeOf(activity)),
          EVENT_PRODUCER_ID: among([activity.chronicleProducerId], ["producer-1"]),
          PRIORITY: textOf(activity.priority),
          DRAFT: activity.draft === null ? [] : [String(activity.draft)],
          VALIDATION_STATUS: textOf(activity.validation?.status ?? null),
          DOOR: doorOf(activity),
        },
      }),
    },
  );
});

/** The value has the centre behind the cell, in digits that need not be those of another library. */
const inShort = (cell: ReturnType<typeof positionDimension>) => ({
  ...cell,
  sql: () => `nullIf(splitByChar(' ', ifNull(${cell.sql({} as never, {} as never)}, ''))[1], '')`,
});

test("cells and their centres are those of the reference library, for every resolution and all around the globe", async () => {
  const random = seeded(seed);
  const places = Array.from({ length: 200 }, () => [random() * 360 - 180, random() * 180 - 90] as const);
  for (const resolution of [0, 1, 5, 7, 9, 12, 15]) {
    const { sql, show } = positionDimension(resolution);
    const rows = places.map(([longitude, latitude]) => `(${longitude}, ${latitude})`).join();
    const result = await database.client.query({
      query: `SELECT ${sql({} as never, scene)} AS cell FROM VALUES('longitude Nullable(Float64), latitude Nullable(Float64)', ${rows})`,
      format: "JSONEachRow",
    });
    for (const [i, { cell }] of (await result.json<{ cell: string }>()).entries()) {
      const [longitude = 0, latitude = 0] = places[i] ?? [];
      const expected = latLngToCell(latitude, longitude, resolution);
      const [lat = 0, lng = 0] = cellToLatLng(expected);
      const coordinates = [expect.closeTo(lng, 9), expect.closeTo(lat, 9)];
      expect(show?.(cell, scene.catalog)).toEqual({
        index: expected,
        center: { type: "Point", coordinates, crs: null },
      });
    }
  }
});

test("the keys of the metadata of what is counted", async () => {
  const range = { from: START - 10 * DAY_MS, to: START + 10 * DAY_MS };
  const question = { range, strategy: "ACTIVE", maxBuckets: 100 } as const;
  const keys = (filter: Filter, path: string[]) =>
    activitiesSummary.metadataKeys?.({ ...scene, client: database.client, filter, question }, path);

  const present = activities.flatMap(({ metadata: document, endTime }) =>
    document?.startsWith("{") === true && (endTime === null || endTime >= range.from)
      ? Object.keys(JSON.parse(document))
      : [],
  );
  expect(await keys({}, [])).toEqual([...new Set(present)].sort());
  expect(await keys({ metadata: { path: ["door", "a", "0"], filter: { eq: "1" } } }, ["door"])).toEqual(["a"]);
  expect(await keys({ name: { eq: "nobody" } }, [])).toEqual([]);
});
