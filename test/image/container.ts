// Runs processes from the image as a container engine would: its user, its environment, a root file system that cannot
// be written, /tmp and one volume that can.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../support/running/processes.ts";
import { watchResident } from "../support/running/resident.ts";
import type { Image } from "./builder.ts";

const MEDIA = "/var/lib/tracklog/media";

/** $1 is the root of the container, $2 its user, $3 the volume; the rest is the command. */
const ENTER = `
root=$1; user=$2; media=$3; shift 3
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount --bind "$media" "$root${MEDIA}"
exec chroot --userspec="$user" "$root" /bin/sh -c 'cd /app && exec "$@"' sh "$@"
`;

export interface Containers {
  /** Runs a command to its end; resolves with its output, rejects with its error output. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Starts a role; resolves when it is ready. */
  start(name: string, env: Readonly<Record<string, string>>): Promise<RunningRole>;
}

export interface RunningRole {
  readonly name: string;
  readonly startSeconds: number;
  /** SIGTERM; resolves with the exit code and the peak memory. */
  stop(): Promise<{ readonly code: number | null; readonly peakMib: number }>;
}

/** `settings` is what every process gets beside the variables of the image. */
export async function createContainers(image: Image, settings: Readonly<Record<string, string>>): Promise<Containers> {
  const media = await mkdtemp(join(tmpdir(), "tracklog-image-media-"));
  const [uid = 0, gid = 0] = image.user.split(":").map(Number);
  await chown(media, uid, gid);
  const place = [image.rootDir, image.user, media];
  const ofImage = Object.fromEntries(image.env.map((each) => each.split(/=(.*)/s).slice(0, 2)));

  const enter = (args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess =>
    spawn("unshare", ["-m", "sh", "-euc", ENTER, "sh", ...place, ...image.entrypoint, ...args], {
      env: { ...ofImage, ...settings, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });

  return {
    async run(args, env = {}) {
      const child = enter(args, env);
      const output = collectOutput(child);
      const [code] = await once(child, "exit");
      if (code !== 0) throw new Error(`${args.join(" ")} ended with code ${code}: ${output.err()}${output.out()}`);
      return output.out();
    },

    async start(name, env) {
      const begun = performance.now();
      const child = enter([`services/${name}/main.ts`], env);
      const output = collectOutput(child);
      const ended = once(child, "exit");
      const memory = watchResident(child.pid ?? 0);
      const isReady = async () => {
        if (child.exitCode !== null) return true;
        const response = await fetch(`http://127.0.0.1:${env["OPS_PORT"]}/readyz`);
        return response.ok;
      };
      await until(isReady);
      if (child.exitCode !== null) throw new Error(`${name} ended: ${output.err()}${output.out()}`);
      return {
        name,
        startSeconds: (performance.now() - begun) / 1_000,
        async stop() {
          const peakMib = await memory.stop();
          child.kill("SIGTERM");
          const [code] = await ended;
          return { code, peakMib };
        },
      };
    },
  };
}

function collectOutput(child: ChildProcess) {
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk;
  });
  return { out: () => out, err: () => err };
}
