// The deliveries of subscriptions: what waits, what has ended, and what is to be sent again.
import type { Subscriptions } from "../../../projections/subscriptions/subscriptions.ts";
import { createClickHouse, databaseOf } from "../../common/clickhouse.ts";
import { deliveryRoutes } from "../routes/deliveries.ts";
import type { Area, Shared } from "../shared.ts";
import { createSignalPartitionOf } from "./partition-of.ts";
import { createPending } from "./pending.ts";

const QUERY_S = 10;

export function deliveriesArea(
  shared: Shared,
  subscriptions: { readonly view: Subscriptions; readonly refresh: () => Promise<void> },
): Area {
  const { config, namespace } = shared;
  const history = createClickHouse(config, databaseOf(config), { max_execution_time: QUERY_S });
  const pending = createPending({ redis: shared.redis(1), namespace, partitionOf: createSignalPartitionOf(shared) });
  const clickhouse = { name: "clickhouse", start: async () => {}, stop: () => history.close() };
  return { routes: deliveryRoutes({ ...subscriptions, pending, history, now: Date.now }), parts: [clickhouse] };
}
