// Replay sessions: Redis has them, and services/replay runs them.

import type { QueryClient } from "../../../projections/history/queries/run.ts";
import { topicName } from "../../../schemas/topics.ts";
import { createClickHouse, databaseOf } from "../../common/clickhouse.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import { closingPart, type Part } from "../../common/lifecycle.ts";
import { createGuard } from "../../common/outbound/guard.ts";
import { createSealer } from "../../common/sealed.ts";
import { shareCalls } from "../../common/share-calls.ts";
import { createTurns } from "../../common/turns.ts";
import type { RestArea, Shared } from "../shared/shared.ts";
import { offsetsRoute } from "./offsets-route.ts";
import { replayRoutes } from "./routes.ts";
import { createReplaySessions } from "./store.ts";

/** The store itself gives a query up after this time. */
const QUERY_S = 10;
/** Simultaneous queries: an event time may be long, and live processing needs the store, too. */
const QUERIES = 2;

export function replayArea({ config, namespace, redis, kafka, catalog }: Shared): RestArea {
  const all = config.STATE_API_MAX_REPLAYS;
  // Without tokens all callers count as one.
  const perToken = config.STATE_API_AUTH === "on" ? config.STATE_API_MAX_REPLAYS_PER_TOKEN : all;
  const limits = { all, perToken };
  const topic = topicName(namespace, "camera-log");
  const admin = kafka.admin();
  const clickhouse = createClickHouse(config, databaseOf(config), { max_execution_time: QUERY_S });
  const inTurn = createTurns(QUERIES).run;
  const history: QueryClient = { query: (params) => clickhouse.query(params), inTurn };
  const recorded = { catalog, history, topic, ranges: shareCalls(() => offsetRanges(admin, topic)) };
  const routes = replayRoutes({
    ...recorded,
    sessions: createReplaySessions(redis(4), namespace, limits),
    guard: createGuard(config, "public"),
    sealer: createSealer(config),
    maxTracks: config.STATE_API_MAX_REPLAY_TRACKS,
    now: Date.now,
  });
  const broker: Part = { name: "offsets", start: admin.connect, stop: admin.disconnect };
  return {
    routes: [offsetsRoute(recorded), ...routes],
    parts: [broker, closingPart("history of replays", () => clickhouse.close())],
  };
}
