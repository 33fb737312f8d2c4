import { join } from "node:path";
import { EmbeddedError } from "./errors.ts";
import { runTool } from "./tool.ts";

const OLDEST_JAVA = 17;

/** The java program to use. Throws EmbeddedError if there is none or it is too old. */
export async function findJava(env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
  const home = env["JAVA_HOME"];
  const file = home === undefined || home === "" ? "java" : join(home, "bin", "java");
  const { exitCode, found, output } = await runTool({ file, args: ["-version"], env, signal });
  if (!found || exitCode !== 0) {
    throw new EmbeddedError(
      `Java was not found: install Java ${OLDEST_JAVA} or later, or set KAFKA_BROKERS and SCHEMA_REGISTRY_URL to stores of your own.`,
    );
  }
  const version = /version "(?:1\.)?(\d+)/.exec(output)?.[1];
  if (version === undefined || Number(version) < OLDEST_JAVA) {
    throw new EmbeddedError(
      `Java ${version ?? "of an unknown version"} is too old: install Java ${OLDEST_JAVA} or later, or point JAVA_HOME to one.`,
    );
  }
  return file;
}
