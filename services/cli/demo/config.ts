import { z } from "zod";
import { DEFAULT_API_URL, integer } from "../../common/config.ts";

export const demoEnv = z.object({
  DEMO_DIR: z
    .string()
    .default(".tracklog/demo")
    .meta({ about: "Folder for the files of the scene, which the demo then imports." }),
  DEMO_CAMERAS: integer(2, 1, 50).meta({ about: "Cameras of the scene." }),
  DEMO_WALKERS: integer(6, 1, 100).meta({ about: "People who walk through the scene." }),
  DEMO_SECONDS: integer(60, 1, 3_600).meta({ about: "Length of the scene." }),
  DEMO_FPS: integer(5, 1, 60).meta({ about: "Frames per second of each camera.", unit: "frames/s" }),
  DEMO_START: z.iso
    .datetime({ offset: true })
    .or(z.literal(""))
    .default("")
    .describe("an ISO 8601 time with an offset, such as 2026-01-01T08:00:00Z")
    .meta({ about: "Start of the scene. When it is empty, the scene ends now. The same start gives the same scene." }),
  DEMO_WATCH_URL: z
    .url({ protocol: /^https?$/ })
    .or(z.literal(""))
    .default("")
    .describe("a URL such as http://127.0.0.1:9464")
    .meta({
      about:
        "Address of the API for operators (`OPS_PORT`). The live demo rests while the API has no subscriber; when the " +
        "address is empty, it never rests.",
    }),
  DEMO_URL: z
    .url({ protocol: /^https?$/ })
    .default(DEFAULT_API_URL)
    .describe(`a URL such as ${DEFAULT_API_URL}`)
    .meta({ about: "Address of the GraphQL API that gets the scene." }),
});
