// The versions of tracklog that run side by side: the present one, and a commit of before.
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { ROOT } from "../structure/repository.ts";
import { processEnv } from "../support/running/processes.ts";

export interface Version {
  readonly name: "old" | "new";
  readonly commit: string;
  /** Ends with a slash. */
  readonly dir: string;
}

const run = promisify(execFile);
const LONG_OUTPUT = { maxBuffer: 64 * 1024 * 1024 };

export async function presentVersion(): Promise<Version> {
  return { name: "new", commit: await shortNameOf("HEAD"), dir: ROOT };
}

/** Unpacks the commit below `scratch`, which the caller removes. */
export async function versionOf(commit: string, scratch: string): Promise<Version> {
  const name = await shortNameOf(commit);
  const dir = join(scratch, name, "/");
  const archive = join(scratch, `${name}.tar`);
  await mkdir(dir);
  // A work tree of git would stay in the list of this repository when the run is killed.
  await run("git", ["archive", "--output", archive, name], { cwd: ROOT });
  await run("tar", ["-xf", archive, "-C", dir]);
  await provideModules(dir);
  return { name: "old", commit: name, dir };
}

/** Runs a command of this version until it ends; resolves with its output. */
export async function runCommand(
  { dir }: Version,
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await run(process.execPath, [join(dir, script), ...args], {
    ...LONG_OUTPUT,
    cwd: dir,
    env: { ...processEnv, ...env },
  });
  return stdout;
}

async function shortNameOf(commit: string): Promise<string> {
  const { stdout } = await run("git", ["rev-parse", "--short", `${commit}^{commit}`], { cwd: ROOT });
  return stdout.trim();
}

/** A version whose production packages are all installed here uses these. */
async function provideModules(dir: string): Promise<void> {
  const [theirs, ours] = await Promise.all([packagesOf(dir), packagesOf(ROOT)]);
  const isInstalled = ([path, identity]: [string, string]) => ours.get(path) === identity;
  if ([...theirs].every(isInstalled)) await symlink(join(ROOT, "node_modules"), join(dir, "node_modules"));
  else await run("npm", ["ci", "--omit=dev", "--ignore-scripts"], { ...LONG_OUTPUT, cwd: dir });
}

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), integrity: z.string().optional(), dev: z.boolean().optional() }),
  ),
});

/** Resolves with the version and checksum of each production package, by its path. */
async function packagesOf(dir: string): Promise<ReadonlyMap<string, string>> {
  const { packages } = lock.parse(JSON.parse(await readFile(join(dir, "package-lock.json"), "utf8")));
  // The package without a path is tracklog itself.
  const used = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  return new Map(used.map(([path, { version, integrity }]) => [path, `${version} ${integrity}`]));
}
