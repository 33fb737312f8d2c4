// The demo's scene at a fixed time, sent by the demo itself. Resolves when all of it can be asked for.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { System } from "../running/launch-system.ts";
import { processEnv } from "../running/processes.ts";

export async function playDemo({ url, token }: System, start: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "demo-"));
  try {
    await promisify(execFile)(
      process.execPath,
      [fileURLToPath(import.meta.resolve("../../../services/cli/demo/main.ts"))],
      {
        env: {
          ...processEnv,
          DEMO_URL: url,
          DEMO_DIR: scratch,
          DEMO_START: start,
          TRACKLOG_TOKEN_ID: token.id,
          TRACKLOG_TOKEN_VALUE: token.value,
        },
      },
    );
  } finally {
    await rm(scratch, { recursive: true });
  }
}
