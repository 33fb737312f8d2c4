import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedError } from "./errors.ts";

/** Makes the directory if need be. Throws EmbeddedError if it cannot be read and written. */
export async function prepareDir(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EmbeddedError(
      `The directory ${dir} cannot be read and written: change its owner or choose another one.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Holds the directory until the returned function is called or this process ends in whatever way: the lock is one of
 * the operating system's on an SQLite file, so no stale lock file is ever left behind. Throws EmbeddedError if taken.
 */
export function lockDir(dir: string): () => void {
  const database = new DatabaseSync(join(dir, "lock.sqlite"));
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw new EmbeddedError(
      `The data directory ${dir} is in use: stop the tracklog that runs on it, or choose another one.`,
      {
        cause: error,
      },
    );
  }
  return () => database.close();
}
