// The HTTP face over views in memory; nothing listens, and no store is asked.

import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import { createDataSourceIds } from "../../../../projections/catalog/data-source-ids.ts";
import { createHeartbeats } from "../../../../projections/catalog/heartbeats.ts";
import { createZonesView } from "../../../../projections/catalog/zones-view.ts";
import type { Scope } from "../../../../schemas/events.ts";
import { createApi } from "../../../../services/api/api.ts";
import { apiEnv } from "../../../../services/api/config.ts";
import type { Feed } from "../../../../services/api/feed/feed.ts";
import type { ResolverMap } from "../../../../services/api/graphql/schema.ts";
import { createHistorySlots, createTokenLimits } from "../../../../services/api/limits/token-limits.ts";
import type { PositionGate } from "../../../../services/api/read/await-position.ts";
import { querySettings } from "../../../../services/api/read/history-client.ts";
import type { EventWriter } from "../../../../services/api/write/publish.ts";
import { createTokenValue } from "../../../../services/cli/tokens/token-value.ts";
import { createClickHouse } from "../../../../services/common/clickhouse.ts";
import { createLog } from "../../../../services/common/log.ts";
import { noWriter, tokenCreated } from "../../../support/scenes/catalog.ts";
import { noSystem } from "../../../support/scenes/no-system.ts";

/** Nothing is waited for. */
export const open: PositionGate = {
  history: async () => {},
  intersections: async () => {},
  zones: async () => {},
  catalog: async () => {},
};

const silent: Feed = {
  subscribe: () => {
    throw new Error("nothing is followed here");
  },
  track: () => undefined,
  findTrack: async () => undefined,
  findTrackById: async () => undefined,
  zonesOf: () => [],
  announce: () => {},
  geofencesOf: () => [],
  stop: async () => {},
};

export interface TestApiOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly resolvers?: ResolverMap;
  readonly gate?: PositionGate;
  readonly writer?: EventWriter;
}

export async function createTestApi({ env = {}, resolvers = {}, gate = open, writer = noWriter }: TestApiOptions = {}) {
  const config = apiEnv.parse({
    KAFKA_BROKERS: "127.0.0.1:9",
    SCHEMA_REGISTRY_URL: "http://127.0.0.1:9",
    REDIS_URL: "redis://127.0.0.1:9",
    CLICKHOUSE_URL: "http://127.0.0.1:9",
    ...env,
  });
  const catalog = createCatalog();
  const zones = createZonesView();
  const heartbeats = createHeartbeats();
  const log = createLog("test", "silent");
  const client = createClickHouse(config, config.CLICKHOUSE_DATABASE, querySettings(config));
  const history = { client, dataSourceIds: createDataSourceIds(catalog) };
  const readiness = { ready: true };
  const isReady = () => readiness.ready;
  const tokenLimits = createTokenLimits(config, log);
  const slots = createHistorySlots(config, tokenLimits);
  const { app } = await createApi({
    ...{ config, log, catalog, zones, heartbeats, history, gate, writer, feed: silent, resolvers, isReady },
    zonesAt: () => Promise.reject(new Error("not asked")),
    tokenLimits,
    slots,
    system: noSystem,
  });

  function token(...scopes: Scope[]) {
    const { value, valueSha256 } = createTokenValue();
    const tokenId = `t-${scopes.join("-")}`;
    catalog.applyOwn(tokenCreated(tokenId, { valueSha256, scopes }), 0);
    return { "x-token-id": tokenId, "x-token-value": value };
  }

  const admin = token("admin");

  async function send(payload: unknown, headers: Record<string, string> = admin) {
    const response = await app.inject({
      method: "POST",
      url: "/graphql",
      headers: { "content-type": "application/json", ...headers },
      payload: typeof payload === "string" ? payload : JSON.stringify(payload),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  }

  const ask = (query: string, variables?: Record<string, unknown>, headers?: Record<string, string>) =>
    send({ query, variables }, headers);

  return { app, catalog, zones, heartbeats, token, admin, send, ask, readiness };
}
