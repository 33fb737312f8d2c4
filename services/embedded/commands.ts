// One-off commands of other services, run as processes.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf } from "../../schemas/errors.ts";
import { type Env, pathOf } from "./services.ts";
import { EmbeddedError } from "./tools/errors.ts";

/**
 * Runs `file`, a path below services. Resolves with its output. Throws EmbeddedError with the end of its error output.
 */
export async function runCommand(file: string, env: Env, args: readonly string[] = []): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [pathOf(file), ...args], { env });
    return stdout;
  } catch (error) {
    throw new EmbeddedError(`${file} failed: ${lastLines(messageOf(error))}`, { cause: error });
  }
}

const lastLines = (text: string): string => text.trim().split("\n").slice(-3).join(" ");
