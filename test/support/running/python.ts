// Packages of Python, installed once into the cache that all tests share.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../../../schemas/errors.ts";

const run = promisify(execFile);

/** Returns the folder for PYTHONPATH. `packages` are requirements with exact versions, such as `fastavro==1.13.1`. */
export async function fetchPythonPackages(cacheDir: string, packages: readonly string[]): Promise<string> {
  const folder = join(cacheDir, `python-${packages.join("-").replaceAll(/[^\w.]+/g, "-")}`);
  if (existsSync(folder)) return folder;
  await mkdir(cacheDir, { recursive: true });
  const work = await mkdtemp(join(cacheDir, "fetch-"));
  try {
    const target = join(work, "packages");
    await run("python3", ["-m", "pip", "install", "-q", "--only-binary", ":all:", "--target", target, ...packages]);
    // A rename is all or nothing. Another process may have fetched the same packages meanwhile.
    await rename(target, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } catch (cause) {
    throw new Error(
      `${packages.join(", ")} could not be installed: Python 3 with pip is needed (${messageOf(cause)})`,
      {
        cause,
      },
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return folder;
}
