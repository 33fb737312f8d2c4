import { constants } from "node:fs";
import { access, chmod, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedError } from "./errors.ts";

/** Creates the directory if it does not exist. Throws EmbeddedError if it cannot be read and written. */
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
 * Creates the directory, readable for its owner only, even if it existed before and whatever the umask. Throws
 * EmbeddedError.
 */
export async function preparePrivateDir(dir: string): Promise<void> {
  await prepareDir(dir);
  try {
    await chmod(dir, 0o700);
  } catch (error) {
    const advice = "change its owner or choose another one";
    throw new EmbeddedError(`The directory ${dir} cannot be made private to its owner: ${advice}.`, { cause: error });
  }
}

/** Writes a file that only its owner can read, even if others could read its predecessor. */
export async function writeSecret(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/**
 * Holds the directory until the returned function is called or this process ends in any way: the lock is one of the
 * operating system, on an SQLite file, so no stale lock file is ever left behind. Throws EmbeddedError when another
 * process holds it.
 */
export function lockDir(dir: string): () => void {
  const database = new DatabaseSync(join(dir, "lock.sqlite"));
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw new EmbeddedError(
      `The data directory ${dir} is in use: stop the tracklog that runs on it, or choose another one with TRACKLOG_DATA_DIR.`,
      {
        cause: error,
      },
    );
  }
  return () => database.close();
}

/** Must be increased when records change in a way that no reader can handle. */
const FORMAT = "2";

/** Throws EmbeddedError when the directory holds data of another format, which stays as it is. */
export async function checkFormat(dir: string): Promise<void> {
  const file = join(dir, "format");
  const found = await readFile(file, "utf8").then(
    (text) => text.trim(),
    () => undefined,
  );
  if (found === FORMAT) return;
  const entries = await readdir(dir);
  if (found === undefined && !entries.includes("kafka") && !entries.includes("registry")) {
    await writeFile(file, `${FORMAT}\n`);
    return;
  }
  throw new EmbeddedError(
    `The data directory ${dir} was written by another version of tracklog, whose records this one cannot read: move it away, or choose another one with TRACKLOG_DATA_DIR.`,
  );
}
