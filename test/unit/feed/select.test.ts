import { getOperationAST, parse } from "graphql";
import { expect, test } from "vitest";
import { createCatalog } from "../../../projections/catalog/catalog.ts";
import { createZonesView } from "../../../projections/catalog/zones-view.ts";
import { createSeen } from "../../../projections/feed/seen-positions.ts";
import { types } from "../../../services/api/fields/types/index.ts";
import { createContextFactory } from "../../../services/api/graphql/create-context.ts";
import { readOperation } from "../../../services/api/graphql/operation.ts";
import { createSchema } from "../../../services/api/graphql/schema.ts";
import { createSelect } from "../../../services/api/graphql/select.ts";
import { createLog } from "../../../services/common/log.ts";
import { noWriter } from "../../support/catalog.ts";

const filterLimits = { maxValues: 10, maxBranches: 10 };
const reader = { tokenId: "", name: "test", scopes: ["read"] } as const;
const log = createLog("test", "silent");
const track = { trackId: "t1", dataSourceId: "d1", tag: "car", startTime: 0, endTime: null, modelId: null };

const createContext = createContextFactory({
  catalog: createCatalog(),
  zones: createZonesView(),
  history: { client: { query: () => Promise.reject(new Error("not asked")) }, dataSourceIds: () => [] },
  gate: {
    history: async () => {},
    intersections: async () => {},
    zones: async () => {},
    catalog: async () => {},
  },
  writer: noWriter,
  log,
  maxFirst: 10,
  filterLimits,
});

test("a message that cannot be written is an error to those who selected it, and no more", () => {
  const metadata = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const seen = { seen: createSeen([]), count: 0 };
  const told = { ...track, properties: null, metadata };
  const message = { kind: "tracks", index: 0, dataSourceId: "d1", state: "START", track: told, seen } as const;
  const schema = createSchema({ ...types });
  const select = createSelect({
    schema,
    filterLimits,
    sharedContext: createContext(reader),
    rootDeps: { track: () => undefined, zonesOf: () => [] },
    log,
  });
  const source = "subscription { tracks { message { metadata } } }";
  const document = parse(source);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error("no operation");

  const { render } = select(document, operation, readOperation({ query: source }, false));

  expect(JSON.parse(`${render(message)}}`)).toMatchObject({
    errors: [{ extensions: { code: "INTERNAL" } }],
    data: null,
  });
});
