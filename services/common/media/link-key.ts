// The key of the links of a local folder. It is kept in the folder itself, because every instance that serves the
// folder needs it: links outlive a restart, and every instance accepts those of the others.
import { randomBytes, randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const KEY_BYTES = 32;

/** Creates the key on first use. The folder must exist. */
export async function linkKey(folder: string): Promise<Buffer> {
  const file = join(folder, ".link-key");
  const found = await readKey(file);
  if (found !== undefined) return found;
  const own = join(folder, `.link-key-${randomUUID()}`);
  try {
    await writeFile(own, randomBytes(KEY_BYTES).toString("hex"), { mode: 0o600, flush: true });
    // A hard link to a complete file is created whole or not at all, and only once. So only one of two instances makes
    // the key.
    await link(own, file).catch((error) => {
      if (!isCode(error, "EEXIST")) throw error;
    });
  } finally {
    await rm(own, { force: true });
  }
  const made = await readKey(file);
  if (made === undefined) throw new Error(`${file} is gone again`);
  return made;
}

async function readKey(file: string): Promise<Buffer | undefined> {
  try {
    const key = Buffer.from((await readFile(file, "utf8")).trim(), "hex");
    if (key.length !== KEY_BYTES) throw new Error(`${file} holds no key of ${KEY_BYTES} bytes`);
    return key;
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

export const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && "code" in error && codes.some((code) => code === error.code);
