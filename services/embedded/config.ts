import { z } from "zod";
import { dataDirEnv, flag, integer } from "../common/config.ts";

export const launcherEnv = z.object({
  ...dataDirEnv.shape,
  API_HOST: z
    .string()
    .default("127.0.0.1")
    .meta({
      about:
        "Address at which the GraphQL API listens. Embedded stores are for development and single machines, " +
        "so the default is reachable from this machine only.",
    }),
  API_PORT: integer(4_000, 1, 65_535).meta({ about: "Port of the GraphQL API." }),
  STATE_API_HOST: z.string().default("127.0.0.1").meta({ about: "Address at which the REST interface listens." }),
  STATE_API_PORT: integer(8_080, 1, 65_535).meta({ about: "Port of the REST interface." }),
  DEMO: flag(true).meta({ about: "Plays a generated scene at the start." }),
  DEMO_LIVE: flag(true).meta({
    about: "Its cameras go on sending while somebody subscribes, for example while the console is open.",
  }),
});

export type LauncherConfig = z.output<typeof launcherEnv>;
