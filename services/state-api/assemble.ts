// Parts of the REST interface, in the order in which they start.
import type { Part } from "../common/lifecycle.ts";
import type { Assembling } from "../common/process/service.ts";
import { createReadiness } from "../common/readiness.ts";
import { chronicleQueryRoutes } from "./chronicle-query/routes.ts";
import { deliveriesArea } from "./deliveries/area.ts";
import { detectionsArea } from "./detections/area.ts";
import { eventsArea } from "./events/area.ts";
import { docsRoutes, openApiRoute } from "./http/documents.ts";
import { healthRoutes } from "./http/health.ts";
import { createStateServer } from "./http/server.ts";
import { createRestLimits } from "./http/token-limits.ts";
import { liveArea } from "./live/area.ts";
import { replayArea } from "./replay/area.ts";
import type { StateApiConfig } from "./shared/config.ts";
import { createShared, type RestArea } from "./shared/shared.ts";
import { subscriptionsArea } from "./subscriptions/area.ts";

export function assembleStateApi(given: Assembling<StateApiConfig>): readonly Part[] {
  const { config, log } = given;
  const shared = createShared(given);
  const subscriptions = subscriptionsArea(shared);
  const readiness = createReadiness(config.STATE_API_PROPAGATION_MS);
  // Each area has one line.
  const areas: readonly RestArea[] = [
    { routes: healthRoutes(readiness.isReady) },
    liveArea(shared),
    subscriptions,
    deliveriesArea(shared, subscriptions),
    eventsArea(shared),
    { routes: chronicleQueryRoutes(shared) },
    detectionsArea(shared),
    replayArea(shared),
  ];
  const routes = areas.flatMap((area) => area.routes);
  const server = createStateServer({
    host: config.STATE_API_HOST,
    port: config.STATE_API_PORT,
    origins: config.STATE_API_ORIGINS,
    bodyLimitBytes: config.STATE_API_BODY_LIMIT_BYTES,
    maxRequests: config.STATE_API_MAX_REQUESTS,
    routes: [...routes, openApiRoute(routes), ...docsRoutes()],
    authenticate: shared.authenticate,
    tokenLimits: createRestLimits(config, log),
    log,
  });
  return [...shared.parts(), ...areas.flatMap(({ parts = [] }) => parts), server, readiness];
}
