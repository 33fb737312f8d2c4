// The parts of the REST interface, in the order in which they start.
import type { Part } from "../common/lifecycle.ts";
import { createReadiness } from "../common/readiness.ts";
import type { Assembling } from "../common/service.ts";
import type { StateApiConfig } from "./config.ts";
import { deliveriesArea } from "./deliveries/area.ts";
import { detectionsArea } from "./detections/area.ts";
import { eventsArea } from "./events/area.ts";
import { createServer } from "./http/server.ts";
import { liveArea } from "./live/area.ts";
import { replayArea } from "./replay/area.ts";
import { chronicleQueryRoutes } from "./routes/chronicle-query.ts";
import { docsRoutes, openApiRoute } from "./routes/documents.ts";
import { healthRoutes } from "./routes/health.ts";
import { type Area, createShared } from "./shared.ts";
import { subscriptionsArea } from "./subscriptions/area.ts";

export function assemble(given: Assembling<StateApiConfig>): readonly Part[] {
  const { config, log } = given;
  const shared = createShared(given);
  const subscriptions = subscriptionsArea(shared);
  const readiness = createReadiness(config.STATE_API_PROPAGATION_MS);
  // One line for each area.
  const areas: readonly Area[] = [
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
  const server = createServer({
    host: config.STATE_API_HOST,
    port: config.STATE_API_PORT,
    bodyLimitBytes: config.STATE_API_BODY_LIMIT_BYTES,
    maxRequests: config.STATE_API_MAX_REQUESTS,
    routes: [...routes, openApiRoute(routes), ...docsRoutes()],
    authenticate: shared.authenticate,
    log,
  });
  return [...shared.parts(), ...areas.flatMap(({ parts = [] }) => parts), server, readiness];
}
