import { getOperationAST, parse } from "graphql";
import { expect, test } from "vitest";
import { createCatalog } from "../../../../../projections/catalog/catalog.ts";
import { createHeartbeats } from "../../../../../projections/catalog/heartbeats.ts";
import { createZonesView } from "../../../../../projections/catalog/zones-view.ts";
import { createSeen } from "../../../../../projections/filters/seen-positions.ts";
import { types } from "../../../../../services/api/fields/types/index.ts";
import { createContextFactory } from "../../../../../services/api/graphql/create-context.ts";
import { readOperation } from "../../../../../services/api/graphql/operation.ts";
import { createSchema } from "../../../../../services/api/graphql/schema.ts";
import { createSelect } from "../../../../../services/api/graphql/select.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { dataSourceCreated, noWriter } from "../../../../support/scenes/catalog.ts";
import { noFrames, noMedia } from "../../../../support/scenes/media.ts";
import { wideSlots } from "../../../../support/scenes/no-limits.ts";
import { noSystem } from "../../../../support/scenes/no-system.ts";
import { zone } from "../../../../support/scenes/zone.ts";

const filterLimits = { maxValues: 10, maxBranches: 10 };
const reader = { tokenId: "", name: "test", scopes: ["read"] } as const;
const log = createLog("test", "silent");
const track = { trackId: "t1", dataSourceId: "d1", tag: "car", startTime: 0, endTime: null, modelId: null };

const catalog = createCatalog();
const zones = createZonesView();
const notAsked = () => Promise.reject(new Error("not asked"));

const createContext = createContextFactory({
  locate: () => null,
  heartbeats: createHeartbeats(),
  noteTraffic: () => {},
  catalog,
  zones,
  zonesAt: notAsked,
  history: { client: { query: notAsked, exec: notAsked }, dataSourceIds: () => [] },
  gate: {
    history: async () => {},
    intersections: async () => {},
    zones: async () => {},
    catalog: async () => {},
  },
  slots: wideSlots,
  trials: { run: notAsked },
  system: noSystem,
  writer: noWriter,
  media: noMedia,
  frames: noFrames,
  log,
  maxFirst: 10,
  filterLimits,
  maxBuckets: 10,
  maxCost: 10,
  maxAnswerBytes: 1_000_000,
  maxZoneVertices: 100,
});

const schema = createSchema({ ...types });
const select = createSelect({
  schema,
  filterLimits,
  sharedContext: createContext(reader),
  rootDeps: { track: () => undefined, zonesOf: () => [], geofencesOf: () => [] },
  log,
});

function selectionOf(source: string, variables: object = {}) {
  const document = parse(source);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error("no operation");
  return select(document, operation, readOperation({ query: source, variables }, false));
}

const rendererOf = (source: string) => selectionOf(source).render;

/** Makes a message about a track with this metadata. */
function trackMessage(metadata: string | null) {
  const seen = { seen: createSeen([]), count: 0 };
  const reported = { ...track, properties: null, metadata };
  return { kind: "tracks", index: 0, dataSourceId: "d1", state: "START", track: reported, seen } as const;
}

test.each([
  "subscription { tracks @skip(if: true) { state } }",
  "subscription { tracks @include(if: false) { state } }",
  "subscription { ... @skip(if: true) { tracks { state } } }",
  "subscription { ...F @skip(if: true) } fragment F on Subscription { tracks { state } }",
  "subscription ($no: Boolean = false) { tracks @include(if: $no) { state } }",
])("%s selects nothing and is refused", (source) => {
  expect(() => selectionOf(source)).toThrow(
    expect.objectContaining({ code: "BAD_USER_INPUT", message: "the subscription selects nothing" }),
  );
});

test("a subscription follows the field that its directives leave", () => {
  const source = `subscription ($skip: Boolean!) {
    tracks @skip(if: $skip) { state } zoneIntersections @include(if: $skip) { state }
  }`;

  expect(selectionOf(source, { skip: true }).asked.kind.field).toBe("zoneIntersections");
  expect(selectionOf(source, { skip: false }).asked.kind.field).toBe("tracks");
});

test("a message that cannot be written is an error to those who selected it, and no more", () => {
  const metadata = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const render = rendererOf("subscription { tracks { message { metadata } } }");

  expect(JSON.parse(`${render(trackMessage(metadata))}}`)).toMatchObject({
    errors: [{ extensions: { code: "INTERNAL" } }],
    data: null,
  });
});

test("lists from memory are counted for each message by itself", () => {
  catalog.applyOwn(dataSourceCreated("d1"), 0);
  const enter = (zoneId: string, offset: number) =>
    zones.apply({
      zoneId,
      dataSourceId: "d1",
      partition: 0,
      offset,
      movedTo: null,
      refusal: null,
      zone: zone({ zoneId }),
    });
  for (const [offset, id] of ["z0", "z1"].entries()) enter(id, offset);
  const render = rendererOf(
    "subscription { tracks { message { dataSource { zones { dataSource { zones { id } } } } } } }",
  );
  const answer = () => JSON.parse(`${render(trackMessage(null))}}`);

  // 2 and 2 * 2.
  for (let i = 0; i < 3; i++) expect(answer().errors).toBeUndefined();
  // 3 and 3 * 3.
  enter("z2", 2);
  expect(answer()).toMatchObject({
    errors: [{ message: expect.stringContaining("more than 10 objects"), extensions: { code: "BAD_USER_INPUT" } }],
    data: null,
  });
});
