// The baseline: mercurius' own subscriptions over the same types, a topic of its pubsub per camera. It has no log and
// no token, and publishes finished objects.
import { fastify } from "fastify";
import mercurius, { type PubSub } from "mercurius";
import { typeDefs } from "../../../services/api/graphql/sdl.ts";
import type { BenchDetection } from "./detections.ts";
import { memoryInUse } from "./memory-in-use.ts";

/** Published in one go before sockets get their turn, as a consumer's batch would be. */
const SLICE = 32;

interface Filter {
  readonly filter: { readonly dataSourceId: { readonly eq: string } };
}

const app = fastify();
await app.register(mercurius, {
  schema: typeDefs,
  subscription: true,
  resolvers: {
    Subscription: {
      detectionActivity: {
        subscribe: (_root: unknown, { filter }: Filter, { pubsub }: { readonly pubsub: PubSub }) =>
          pubsub.subscribe(filter.dataSourceId.eq),
      },
    },
  },
});
await app.listen({ port: 0, host: "127.0.0.1" });

process.on("message", async (detections: readonly BenchDetection[] | "memory") => {
  if (detections === "memory") {
    process.send?.(memoryInUse());
    return;
  }
  for (const [i, { deviceId, ...rest }] of detections.entries()) {
    app.graphql.pubsub.publish({ topic: deviceId, payload: { detectionActivity: { deviceId, ...rest } } });
    if (i % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
  }
});
process.on("disconnect", () => process.exit());
const address = app.server.address();
process.send?.(typeof address === "object" ? address?.port : undefined);
