// The parts of the REST interface, in the order in which they start.
import { createCatalog } from "../../projections/catalog/catalog.ts";
import { createAuthenticate, letEverybodyIn } from "../../projections/catalog/tokens.ts";
import { groupName } from "../../schemas/topics.ts";
import { followRecords } from "../common/follow-records.ts";
import { createKafka } from "../common/kafka/client.ts";
import type { Follower } from "../common/kafka/follow.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Assembling } from "../common/service.ts";
import type { StateApiConfig } from "./config.ts";
import { createServer } from "./http/server.ts";
import { healthRoutes } from "./routes/health.ts";

export function assemble({ config, codec, log }: Assembling<StateApiConfig>): readonly Part[] {
  const namespace = config.TRACKLOG_NAMESPACE;
  const kafka = createKafka("tracklog-state-api", config, log);
  const catalog = createCatalog();
  const groupPrefix = groupName(namespace, "state-api");
  const following = { kafka, codec, namespace, groupPrefix, log };
  const views = followRecords({ ...following, topic: "catalog", apply: catalog.apply });
  const server = createServer({
    host: config.STATE_API_HOST,
    port: config.STATE_API_PORT,
    bodyLimitBytes: config.STATE_API_BODY_LIMIT_BYTES,
    routes: [...healthRoutes],
    authenticate: config.STATE_API_AUTH === "on" ? createAuthenticate(catalog) : letEverybodyIn,
    log,
  });
  return [views, filled(views), server];
}

/** No request comes in before: a half-filled view would refuse good tokens. */
const filled = (views: Follower): Part => ({
  name: "filled views",
  start: () => Promise.race([views.caughtUp, views.failed]),
  stop: async () => {},
});
