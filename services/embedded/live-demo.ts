// The demo as the launcher runs it: a scene of the last minute, then cameras that send while somebody looks.
import { join } from "node:path";
import type { DevToken } from "./dev-token.ts";
import { type Env, serviceCommand } from "./services.ts";
import { type Supervised, supervise } from "./tools/supervised.ts";

interface DemoPlace {
  readonly dataDir: string;
  /** URL of the GraphQL API. */
  readonly url: string;
  readonly token: DevToken;
  readonly apiOpsUrl: string;
}

/** Nothing is lost when a demo is stopped between two of its mutations. */
const STOP_GRACE_MS = 500;

export const demoSettings = ({ dataDir, url, token, apiOpsUrl }: DemoPlace): Env => ({
  DEMO_URL: url,
  DEMO_DIR: join(dataDir, "demo"),
  DEMO_WATCH_URL: apiOpsUrl,
  TRACKLOG_TOKEN_ID: token.id,
  TRACKLOG_TOKEN_VALUE: token.value,
});

export const superviseLiveDemo = (settings: Env, logDir: string): Supervised =>
  supervise(
    {
      title: "The live demo",
      command: serviceCommand("cli/demo/main", settings, ["--live"]),
      logFile: join(logDir, "demo.log"),
      // Nobody calls the demo, so nobody waits for it.
      probe: async () => {},
      stopGraceMs: STOP_GRACE_MS,
    },
    () => {},
  );
