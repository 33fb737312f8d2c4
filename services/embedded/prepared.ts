// Remembers what the stores of a data directory were prepared for. When this start would prepare the same, the services
// need not wait for it.
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Env } from "./services.ts";

/** Code that says which topics, schemas and tables there are. */
const SOURCES = ["schemas", "projections/history", "services/cli/provision"];
/** Settings that change them. */
const SETTINGS = [
  "TRACKLOG_NAMESPACE",
  "CAMERA_PARTITIONS",
  "CAMERA_LOG_RETENTION_MS",
  "TOPIC_REPLICATION_FACTOR",
  "CLICKHOUSE_DATABASE",
];
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface Preparation {
  /** True when the stores were prepared for the same before, and are the same stores. */
  readonly isKnown: boolean;
  /** Must be called when the stores are prepared. */
  remember(): Promise<void>;
}

/** `areOwn` is false when one of the stores was given: nobody knows what happened to it meanwhile. */
export async function preparationOf(dataDir: string, settings: Env, areOwn: boolean): Promise<Preparation> {
  const file = join(dataDir, "prepared");
  const print = await fingerprint(dataDir, settings);
  return {
    isKnown: areOwn && (await readFile(file, "utf8").catch(() => "")) === print,
    remember: () => writeFile(file, print),
  };
}

async function fingerprint(dataDir: string, settings: Env): Promise<string> {
  const hash = createHash("sha256");
  const names = (await Promise.all(SOURCES.map(filesOf))).flat();
  const texts = await Promise.all(names.map((name) => readFile(join(ROOT, name))));
  for (const [i, text] of texts.entries()) hash.update(`${names[i]} ${text.length}\n`).update(text);
  // Another Kafka has another identity: someone has removed its folder.
  hash.update(await readFile(join(dataDir, "kafka", "formatted"), "utf8").catch(() => "none"));
  hash.update(JSON.stringify(SETTINGS.map((name) => settings[name] ?? null)));
  return hash.digest("hex");
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.map((file) => file.slice(ROOT.length)).sort();
}
