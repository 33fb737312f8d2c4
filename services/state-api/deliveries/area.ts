// Deliveries of subscriptions: those that wait, those that have ended, and redeliveries.
import type { Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import { createClickHouse, databaseOf } from "../../common/clickhouse.ts";
import { closingPart } from "../../common/lifecycle.ts";
import type { RestArea, Shared } from "../shared/shared.ts";
import { createSignalPartitionOf } from "./partition-of.ts";
import { createPending } from "./pending.ts";
import { deliveryRoutes } from "./routes.ts";

const QUERY_S = 10;

export function deliveriesArea(
  shared: Shared,
  subscriptions: { readonly view: Subscriptions; readonly refresh: () => Promise<void> },
): RestArea {
  const { config, namespace } = shared;
  const history = createClickHouse(config, databaseOf(config), { max_execution_time: QUERY_S });
  const pending = createPending({ redis: shared.redis(1), namespace, partitionOf: createSignalPartitionOf(shared) });
  const clickhouse = closingPart("clickhouse", () => history.close());
  return { routes: deliveryRoutes({ ...subscriptions, pending, history, now: Date.now }), parts: [clickhouse] };
}
