import { rm } from "node:fs/promises";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { scratchDir } from "../../support/running/scratch-dir.ts";

/** An empty directory that is gone after the test, or, outside of tests, after the file. */
export async function tempDir(): Promise<string> {
  const dir = await scratchDir("tracklog-embedded-");
  atTheEnd(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
