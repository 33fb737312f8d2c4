// Writes the signals to a file. The file gets its name when it is complete.
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import type { SignalSink } from "./sink.ts";

export interface SignalFileOptions {
  readonly path: string;
  /** False when an existing file must stay as it is. */
  readonly force: boolean;
  readonly lineOf: (signal: SignalRaised) => string;
}

const WRITE_CHARACTERS = 256 * 1024;

/** Rejects when the file exists and must not be overwritten. */
export async function openSignalFile({ path, force, lineOf }: SignalFileOptions): Promise<SignalSink> {
  await refuseExisting(path, force);
  const part = `${path}.part`;
  const file = await openPart(part, force);
  let lines: string[] = [];
  let characters = 0;

  /** The run waits for the disk here, so no more than this much is in memory. */
  async function write(): Promise<void> {
    const text = lines.join("");
    lines = [];
    characters = 0;
    await file.writeFile(text);
  }

  return {
    async take({ signals }) {
      for (const signal of signals) {
        const line = `${lineOf(signal)}\n`;
        lines.push(line);
        characters += line.length;
        if (characters >= WRITE_CHARACTERS) await write();
      }
    },
    async finish() {
      await write();
      await file.sync();
      await file.close();
      await refuseExisting(path, force);
      await rename(part, path);
    },
    async abandon() {
      await file.close().catch(() => undefined);
      await rm(part, { force: true });
    },
  };
}

/** Two runs must not write the same part, so one that a crash has left behind is overwritten only with `force`. */
function openPart(part: string, force: boolean): Promise<FileHandle> {
  return open(part, force ? "w" : "wx").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST") throw cause;
    throw new Error(`${part} exists: another run writes it, or one has died. --force overwrites it.`, { cause });
  });
}

async function refuseExisting(path: string, force: boolean): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new Error(`${path} is a folder.`);
  if (found !== undefined && !force) throw new Error(`${path} exists already; --force overwrites it.`);
}
