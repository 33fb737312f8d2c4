// The baseline: the same mutation on bare mercurius with its JIT and a schema of just these types; the resolver returns
// at once. No log, no token, no validation beyond GraphQL's own.
import { fastify } from "fastify";
import mercurius from "mercurius";

const schema = `
  scalar DateTimeOffset
  scalar JSON
  input GeoJSONPointInput { type: String! coordinates: [Float!]! }
  input GeoJSONPolygonInput { type: String! coordinates: [[[Float!]!]!]! }
  input CreateDetectionInput {
    trackId: ID!
    timestamp: DateTimeOffset!
    position: GeoJSONPointInput
    polygon: GeoJSONPolygonInput
    direction: Float
    metadata: JSON
  }
  type Detection { id: ID! timestamp: DateTimeOffset! }
  type Query { ping: Boolean }
  type Mutation { createDetections(detections: [CreateDetectionInput!]!): [Detection] }
`;

const ID = "6ba7b810-9dad-51d1-80b4-00c04fd430c8";
const answers = new Map([1, 10, 100].map((size) => [size, Array.from({ length: size }, () => ({ id: ID }))]));

const app = fastify();
await app.register(mercurius, {
  schema,
  jit: Number(process.argv[2] ?? 1),
  // The same answer as ours, prepared beforehand.
  resolvers: { Mutation: { createDetections: (_root, { detections }) => answers.get(detections.length) } },
});
await app.listen({ port: 0, host: "127.0.0.1" });
const address = app.server.address();
process.send?.(typeof address === "object" ? address?.port : undefined);
process.on("disconnect", () => process.exit());
