import { z } from "zod";

export const gatewayOptions = z.object({
  dataDir: z.string(),
  port: z.number(),
  user: z.string(),
  password: z.string(),
  /** Memory that all queries together may use; above it a query fails with code 241. */
  maxMemoryBytes: z.number(),
  /** Further elements of the engine's configuration. Tests define a cluster in it. */
  moreConfig: z.string().default(""),
});
export type GatewayOptions = z.input<typeof gatewayOptions>;
