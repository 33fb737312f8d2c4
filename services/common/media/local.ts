// Media in a folder of this machine, or in one that all instances share. Anyone may put files there: no path, whatever
// links lie on it, leads out of the folder.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, type FileHandle, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { checkMediaPath } from "../../../schemas/media-path.ts";
import { isCode } from "./link-key.ts";
import type { Links } from "./links.ts";
import { type MediaStore, orMediaUnavailable } from "./store.ts";

interface LocalOptions {
  readonly folder: string;
  readonly links: Links;
  /** Address at which clients reach the API, without a slash at the end. */
  readonly publicUrl: () => string;
  readonly now: () => number;
}

export function createLocalStore({ folder, links, publicUrl, now }: LocalOptions): MediaStore {
  const root = resolve(folder);

  return {
    put: (path, bytes) => orMediaUnavailable(() => put(root, partsOf(path), bytes)),

    open: (path) =>
      orMediaUnavailable(async () => {
        const handle = await openFile(root, path);
        if (handle === undefined) return undefined;
        const { size, mtimeMs } = await handle.stat();
        return {
          bytes: size,
          tag: `${size.toString(36)}-${Math.trunc(mtimeMs * 1_000).toString(36)}`,
          read: async (range) =>
            handle.createReadStream(range === undefined ? {} : { start: range.first, end: range.last }),
          close: () => handle.close(),
        };
      }),

    exists: (path) =>
      orMediaUnavailable(async () => {
        const handle = await openFile(root, path);
        await handle?.close();
        return handle !== undefined;
      }),

    delete: (path) =>
      orMediaUnavailable(async () => {
        const file = await findInside(root, path);
        if (file !== undefined) await rm(file, { force: true });
      }),

    source: (path) =>
      orMediaUnavailable(async () => {
        const file = await findInside(root, path);
        return file === undefined ? undefined : { path, input: `file:${file}`, protocols: "file" };
      }),

    signedUrl: (path) => orMediaUnavailable(async () => `${publicUrl()}${await links.sign(path, now())}`),
  };
}

/** Creates the folder and checks that it can be written. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o750 });
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Opens a file, which the caller must close. */
async function openFile(root: string, path: string): Promise<FileHandle | undefined> {
  const file = await findInside(root, path);
  if (file === undefined) return undefined;
  // With NONBLOCK, opening a pipe without a writer does not block for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await orNone(() => open(file, flags));
  if (handle === undefined || (await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}

/** Returns the real path of a file, with symbolic links resolved. */
async function findInside(root: string, path: string): Promise<string | undefined> {
  if (checkMediaPath(path) !== undefined) return undefined;
  const file = await orNone(() => realpath(join(root, path)));
  return file !== undefined && isInside(file, await realpath(root)) ? file : undefined;
}

const isInside = (file: string, root: string): boolean => file === root || file.startsWith(root + sep);

async function orNone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ENXIO")) return undefined;
    throw error;
  }
}

function partsOf(path: string): readonly string[] {
  const flaw = checkMediaPath(path);
  if (flaw !== undefined) throw new Error(`${path}: ${flaw.reason}`);
  return path.split("/");
}

async function put(root: string, parts: readonly string[], bytes: Uint8Array): Promise<void> {
  const file = join(await makeFolders(root, parts.slice(0, -1)), parts.at(-1) ?? "");
  const unfinished = join(dirname(file), `.${randomUUID()}`);
  try {
    await writeDurably(unfinished, bytes);
    await rename(unfinished, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Folders are created one by one, because a link among them may lead out of the root. */
async function makeFolders(root: string, names: readonly string[]): Promise<string> {
  const realRoot = await realpath(root);
  let folder = realRoot;
  for (const name of names) {
    const next = join(folder, name);
    await mkdir(next, { mode: 0o750 }).catch((error) => {
      if (!isCode(error, "EEXIST")) throw error;
    });
    folder = await realpath(next);
    if (!isInside(folder, realRoot)) throw new Error(`the folder ${basename(next)} leads out of the media`);
  }
  return folder;
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, "wx", 0o640);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A new file name is durable only once its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
