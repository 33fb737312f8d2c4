// Commands that a person starts beside npm start.
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startStores } from "../../../services/embedded/stores.ts";
import { tempDir } from "./temp-dir.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The environment without any variable of tracklog. */
const machine = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(KAFKA|SCHEMA_REGISTRY|REDIS|CLICKHOUSE|TRACKLOG)_/.test(name)),
);
/** Redis and ClickHouse need no Java and are up at once. */
const quick = { ...machine, KAFKA_BROKERS: "127.0.0.1:1", SCHEMA_REGISTRY_URL: "http://127.0.0.1:1" };

/** Resolves with the whole output and the exit code. */
async function command(file: string, dataDir: string, args: readonly string[] = []) {
  const env = { ...machine, TRACKLOG_DATA_DIR: dataDir };
  const path = join(root, "services", file);
  const done = promisify(execFile)(process.execPath, ["--disable-warning=TimeoutNegativeWarning", path, ...args], {
    env,
  });
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  );
}

test("a command finds the stores that run on the data directory, until they stop", async () => {
  const dataDir = await tempDir();
  const stores = await startStores({ dataDir, env: { ...quick, CLICKHOUSE_DATABASE: "found" } });
  onTestFinished(() => stores.stop());
  const file = join(dataDir, "stores.json");

  const migrated = await command("projector/migrate.ts", dataDir);

  expect(migrated).toMatchObject({ code: 0 });
  expect(migrated.output).toContain('"database":"found"');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await stores.stop();
  await expect(readFile(file)).rejects.toThrow("ENOENT");
  expect((await command("projector/migrate.ts", dataDir)).output).toMatch(/^No stores are running on .*\n$/);
});

test("stores whose guard was killed are not taken for running ones", async () => {
  const dataDir = await tempDir();
  const stores = await startStores({ dataDir, env: quick });
  process.kill(stores.guardPid, "SIGKILL");
  await expect(stores.failed).rejects.toThrow();

  expect((await command("projector/migrate.ts", dataDir)).output).toMatch(/^No stores are running on .*\n$/);
});

test.each([
  ["cli/tokens/main.ts", ["list"]],
  ["cli/dead-letters/main.ts", ["list"]],
  ["projector/rebuild.ts", ["--database", "again"]],
  ["cli/provision/main.ts", []],
  ["projector/migrate.ts", []],
])("%s without stores says in one sentence what to start or set", async (file, args) => {
  const dataDir = await tempDir();

  expect(await command(file, dataDir, args)).toEqual({
    code: 1,
    output: expect.stringMatching(/^No stores are running on \S+: start them with npm start, or set [^\n]+\.\n$/),
  });
});

test.each(["api/main.ts", "state-machine/main.ts", "projector/main.ts"])(
  "%s without its stores names each variable, without a stack trace",
  async (file) => {
    const { code, output } = await command(file, await tempDir());

    expect(code).toBe(1);
    expect(output).toMatch(/^The configuration is not usable:\n( {2}[A-Z_]+ is not set: it wants [^\n]+\n)+$/);
  },
);
