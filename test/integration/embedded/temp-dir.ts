import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atTheEnd } from "../../support/running/at-the-end.ts";

/** An empty directory that is gone after the test, or, outside of tests, after the file. */
export async function tempDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "tracklog-embedded-"));
  atTheEnd(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
