// The messages on a machine that lacks something.
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startStores } from "../../../services/embedded/stores.ts";
import { EmbeddedError } from "../../../services/embedded/tools/errors.ts";
import { tempDir } from "./temp-dir.ts";

const others = { REDIS_URL: "redis://unused", CLICKHOUSE_URL: "http://unused", SCHEMA_REGISTRY_URL: "http://unused" };

interface Machine {
  /** Programs in its PATH, as shell scripts. */
  readonly programs: Readonly<Record<string, string>>;
}

/** The refusal that a launcher of Kafka gets on a machine with nothing but these programs. */
async function refusalOn({ programs }: Machine, dir: string): Promise<string> {
  const bin = join(dir, "bin");
  await mkdir(bin, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  const env = { ...others, PATH: bin };
  const refusal = await startStores({ dataDir: join(dir, "data"), cacheDir: join(dir, "cache"), env }).catch(
    (error) => error,
  );
  expect(refusal).toBeInstanceOf(EmbeddedError);
  return refusal.message;
}

const java = (version: string) => `echo 'openjdk version "${version}" 2025-01-01' >&2`;

test("a machine without Java is told to install it", async () => {
  expect(await refusalOn({ programs: {} }, await tempDir())).toBe(
    "Java was not found: install Java 17 or later, or set KAFKA_BROKERS and SCHEMA_REGISTRY_URL to stores of your own.",
  );
});

test.each(["1.8.0_412", "11.0.2"])("Java %s is too old", async (version) => {
  expect(await refusalOn({ programs: { java: java(version) } }, await tempDir())).toContain(
    "is too old: install Java 17",
  );
});

test("a machine without Maven is told to install it", async () => {
  expect(await refusalOn({ programs: { java: java("17.0.15") } }, await tempDir())).toContain("Maven was not found");
});

test("a failed download says why and leaves the cache as it was", async () => {
  const dir = await tempDir();
  const mvn = 'echo "[ERROR] Could not transfer artifact"; exit 1';

  expect(await refusalOn({ programs: { java: java("17.0.15"), mvn } }, dir)).toBe(
    "Apache Kafka 4.1.2 could not be fetched (Could not transfer artifact): check the network and start again.",
  );

  expect(await readdir(join(dir, "cache"))).toEqual([]);
});

test("a data directory that cannot be made is named", async () => {
  const dir = await tempDir();
  const file = join(dir, "file");
  await writeFile(file, "");

  const env = { ...others, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) };
  await expect(startStores({ dataDir: join(file, "data"), env })).rejects.toThrow(
    `The directory ${join(file, "data")} cannot be read and written`,
  );
});

test("a data directory of another version is refused and left as it is", async () => {
  const dir = await tempDir();
  await mkdir(join(dir, "data", "kafka"), { recursive: true });
  const start = () => startStores({ dataDir: join(dir, "data"), env: others });

  await expect(start()).rejects.toThrow(/was written by another version of tracklog/);
  await writeFile(join(dir, "data", "format"), "1\n");
  await expect(start()).rejects.toThrow(/choose another one with TRACKLOG_DATA_DIR/);
  expect((await readdir(join(dir, "data"))).sort()).toEqual(["format", "kafka"]);
});
