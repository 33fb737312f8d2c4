import { z } from "zod";
import { DEFAULT_API_URL, integer } from "../../common/config.ts";

export const demoEnv = z.object({
  /** Folder for the scene's files, which are then imported. */
  DEMO_DIR: z.string().default(".tracklog/demo"),
  DEMO_CAMERAS: integer(2, 1, 50),
  DEMO_WALKERS: integer(6, 1, 100),
  DEMO_SECONDS: integer(60, 1, 3_600),
  DEMO_FPS: integer(5, 1, 60),
  /** Start of the scene; by default the scene ends now. The same start gives the same scene. */
  DEMO_START: z.iso
    .datetime({ offset: true })
    .or(z.literal(""))
    .default("")
    .describe("an ISO 8601 time with an offset, such as 2026-01-01T08:00:00Z"),
  DEMO_URL: z
    .url({ protocol: /^https?$/ })
    .default(DEFAULT_API_URL)
    .describe(`a URL such as ${DEFAULT_API_URL}`),
});
