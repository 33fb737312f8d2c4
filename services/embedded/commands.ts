// One-off commands of other services, run as processes.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import { jsonOf } from "../../schemas/json.ts";
import { type Env, pathOf } from "./services.ts";
import { EmbeddedError } from "./tools/errors.ts";

const failure = z.object({ stdout: z.string(), stderr: z.string() }).catch({ stdout: "", stderr: "" });
const logLine = z.object({ msg: z.string(), err: z.object({ message: z.string() }).optional() });

/** Runs `file`, a path below services. Resolves with its output. Throws EmbeddedError with the reason that it gave. */
export async function runCommand(file: string, env: Env, args: readonly string[] = []): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [pathOf(file), ...args], { env });
    return stdout;
  } catch (error) {
    throw new EmbeddedError(`${file} failed: ${reasonIn(failure.parse(error))}`, { cause: error });
  }
}

/** Commands write sentences to the error output; those that log end with a line about their failure. */
function reasonIn({ stdout, stderr }: z.output<typeof failure>): string {
  if (stderr.trim() !== "") return stderr.trim().split("\n").slice(-3).join(" ");
  const last = stdout.trim().split("\n").at(-1) ?? "";
  const { data } = logLine.safeParse(jsonOf(last));
  return data?.err?.message ?? data?.msg ?? (last || "it gave no reason");
}
