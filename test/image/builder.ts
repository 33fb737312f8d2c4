// Builds the image with buildah, on a base that is made here: its programs come from Debian and npm, so that no
// registry of images is needed.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, realpath, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Kept between runs: the base takes minutes. */
const WORK_DIR = join(ROOT, ".tracklog/image");
const BASE = "localhost/node:24.21.0-bookworm-slim";
const IMAGE = "localhost/tracklog:test";
const CA_IN_BASE = "/usr/local/share/ca-certificates/test.crt";
const MAX_BYTES = 64 * 1024 * 1024;

const STORAGE = [
  "--root",
  join(WORK_DIR, "storage"),
  "--runroot",
  join(WORK_DIR, "run"),
  "--storage-driver",
  "vfs",
] as const;

export interface Image {
  readonly baseBytes: number;
  readonly bytes: number;
  readonly buildSeconds: number;
  /** Variables that the image sets. */
  readonly env: readonly string[];
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[];
  /** The root file system of a container of the image. */
  readonly rootDir: string;
  remove(): Promise<void>;
}

export async function run(file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, { cwd: ROOT, maxBuffer: MAX_BYTES });
  return stdout.trim();
}

const buildah = (...args: readonly string[]): Promise<string> => run("buildah", [...STORAGE, ...args]);

/** Throws with one sentence when the machine lacks something. */
export async function requireTools(): Promise<void> {
  const missing: string[] = [];
  for (const tool of ["buildah", "debootstrap"]) await run("which", [tool]).catch(() => missing.push(tool));
  if (missing.length > 0) {
    throw new Error(`The test of the image needs ${missing.join(" and ")}: apt-get install ${missing.join(" ")}.`);
  }
  if (process.getuid?.() !== 0) throw new Error("The test of the image mounts file systems: run it as root.");
}

const inspected = z.object({
  Docker: z.object({
    config: z.object({
      Env: z.array(z.string()),
      User: z.string(),
      Entrypoint: z.array(z.string()),
      Healthcheck: z.object({ Test: z.array(z.string()) }).optional(),
    }),
  }),
});

export async function buildImage(report: (line: string) => void): Promise<Image> {
  await mkdir(WORK_DIR, { recursive: true });
  if (!(await hasImage(BASE))) {
    report("making the base image");
    await buildBase(join(WORK_DIR, "base"));
  }
  report("building the image");
  const begun = performance.now();
  await buildah("bud", "--isolation", "chroot", "--pull-never", "--format", "docker", "-q", "-t", IMAGE, ".");
  const buildSeconds = (performance.now() - begun) / 1_000;
  const { config } = inspected.parse(JSON.parse(await buildah("inspect", "--type", "image", IMAGE))).Docker;
  const container = await buildah("from", "--pull-never", IMAGE);
  return {
    baseBytes: await sizeOf(BASE),
    bytes: await sizeOf(IMAGE),
    buildSeconds,
    env: config.Env,
    user: config.User,
    entrypoint: config.Entrypoint,
    healthcheck: config.Healthcheck?.Test ?? [],
    rootDir: await buildah("mount", container),
    remove: async () => {
      await buildah("umount", container);
      await buildah("rm", container);
    },
  };
}

const hasImage = (name: string): Promise<boolean> =>
  buildah("inspect", "--type", "image", name).then(
    () => true,
    () => false,
  );

const listed = z.array(z.object({ names: z.array(z.string()).nullable(), size: z.string() }));

/** Returns decimal bytes; buildah lists sizes as text such as `323 MB`. */
async function sizeOf(name: string): Promise<number> {
  const images = listed.parse(JSON.parse(await buildah("images", "--json")));
  const text = images.find(({ names }) => names?.includes(name))?.size ?? "";
  const [, digits = "NaN", unit = ""] = /^([\d.]+) ?([KMG]?)B$/i.exec(text) ?? [];
  return Number(digits) * ({ K: 1e3, M: 1e6, G: 1e9 }[unit.toUpperCase()] ?? 1);
}

/** Debian without recommendations, the Node of the npm package `node`, and npm for the build stage. */
async function buildBase(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  await run("debootstrap", ["--variant=minbase", "bookworm", dir]);
  await rm(join(dir, "var/cache/apt/archives"), { recursive: true, force: true });
  const local = join(dir, "usr/local");
  await cp(join(ROOT, "node_modules/node/bin/node"), join(local, "bin/node"));
  await mkdir(join(local, "lib/node_modules"), { recursive: true });
  const npm = dirname(dirname(await realpath(await run("which", ["npm"]))));
  await cp(npm, join(local, "lib/node_modules/npm"), { recursive: true, dereference: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(local, "bin/npm"));
  const trust = await addTrust(dir);
  const container = await buildah("from", "scratch");
  await buildah("add", "-q", container, dir, "/");
  await buildah("config", "--cmd", "node", ...trust, container);
  await buildah("commit", "-q", container, BASE);
  await buildah("rm", container);
  await rm(dir, { recursive: true, force: true });
}

/**
 * Behind a proxy that reads TLS, npm in the build needs the proxy's certificate authority. Resolves with the settings
 * of the base.
 */
async function addTrust(dir: string): Promise<readonly string[]> {
  const file = process.env["NODE_EXTRA_CA_CERTS"];
  if (file === undefined || !existsSync(file)) return [];
  await mkdir(join(dir, dirname(CA_IN_BASE)), { recursive: true });
  await cp(file, join(dir, CA_IN_BASE), { dereference: true });
  return ["--env", `NODE_EXTRA_CA_CERTS=${CA_IN_BASE}`, "--env", `npm_config_cafile=${CA_IN_BASE}`];
}
