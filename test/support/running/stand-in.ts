// Programs on the PATH in place of ffmpeg.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A shell script that is found as `ffmpeg` where the returned PATH is set. */
export async function standIn(dir: string, script: string): Promise<string> {
  const folder = join(dir, "bin");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "ffmpeg"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${folder}:${process.env["PATH"]}`;
}
