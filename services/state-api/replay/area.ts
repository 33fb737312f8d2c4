// Replay sessions: Redis has them, and services/replay runs them.

import { topicName } from "../../../schemas/topics.ts";
import { createClickHouse, databaseOf } from "../../common/clickhouse.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import { closingPart, type Part } from "../../common/lifecycle.ts";
import { createGuard } from "../../common/outbound/guard.ts";
import { createSealer } from "../../common/sealed.ts";
import { shareCalls } from "../../common/share-calls.ts";
import type { RestArea, Shared } from "../shared/shared.ts";
import { createAskHistory } from "./asking.ts";
import { offsetsRoute } from "./offsets-route.ts";
import { replayRoutes } from "./routes.ts";
import { createReplaySessions } from "./store.ts";

/** The store itself gives a query up after this time. */
const QUERY_S = 10;

export function replayArea({ config, namespace, redis, kafka, catalog }: Shared): RestArea {
  const all = config.STATE_API_MAX_REPLAYS;
  // Without tokens all callers count as one.
  const perToken = config.STATE_API_AUTH === "on" ? config.STATE_API_MAX_REPLAYS_PER_TOKEN : all;
  const limits = { all, perToken };
  const topic = topicName(namespace, "camera-log");
  const admin = kafka.admin();
  const clickhouse = createClickHouse(config, databaseOf(config), {
    max_execution_time: QUERY_S,
    // ClickHouse cancels the query of a disconnected client only in read-only mode; mode 2 still accepts settings.
    readonly: "2",
    cancel_http_readonly_queries_on_client_close: 1,
  });
  const { STATE_API_PAST_QUERIES: most, STATE_API_PAST_QUERY_MS: limitMs } = config;
  // Callers that look for offsets must not keep others from beginning a session.
  const asking = () => createAskHistory({ history: clickhouse, most, limitMs });
  const recorded = { catalog, topic, ranges: shareCalls(() => offsetRanges(admin, topic)) };
  const routes = replayRoutes({
    ...recorded,
    askHistory: asking(),
    sessions: createReplaySessions(redis(4), namespace, limits),
    guard: createGuard(config, "public"),
    sealer: createSealer(config),
    maxTracks: config.STATE_API_MAX_REPLAY_TRACKS,
    now: Date.now,
  });
  const broker: Part = { name: "offsets", start: admin.connect, stop: admin.disconnect };
  return {
    routes: [offsetsRoute({ ...recorded, askHistory: asking() }), ...routes],
    parts: [broker, closingPart("history of replays", () => clickhouse.close())],
  };
}
