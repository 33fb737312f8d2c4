// One-off commands of other services, run as processes.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf } from "../common/errors.ts";
import { EmbeddedError } from "./errors.ts";
import { type Env, mainOf } from "./services.ts";

/** Resolves with what the command printed. Throws EmbeddedError with its last words. */
export async function runCommand(
  service: string,
  env: Env,
  args: readonly string[] = [],
  file = "main",
): Promise<string> {
  const path = file === "main" ? mainOf(service) : mainOf(service, file);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [path, ...args], { env });
    return stdout;
  } catch (error) {
    throw new EmbeddedError(`${service} failed: ${lastLines(messageOf(error))}`, { cause: error });
  }
}

const lastLines = (text: string): string => text.trim().split("\n").slice(-3).join(" ");
