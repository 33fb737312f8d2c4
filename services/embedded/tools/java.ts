import { join } from "node:path";
import { EmbeddedError } from "./errors.ts";
import { runTool } from "./tool.ts";

const OLDEST_JAVA = 17;

export interface Java {
  readonly file: string;
  /** The full version, such as 17.0.15. */
  readonly version: string;
}

/** Finds the Java to use. Throws EmbeddedError if there is none or it is too old. */
export async function findJava(env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Java> {
  const home = env["JAVA_HOME"];
  const file = home === undefined || home === "" ? "java" : join(home, "bin", "java");
  const { exitCode, found, output } = await runTool({ file, args: ["-version"], env, signal });
  if (!found || exitCode !== 0) {
    throw new EmbeddedError(
      `Java was not found: install Java ${OLDEST_JAVA} or later, or set KAFKA_BROKERS and SCHEMA_REGISTRY_URL to stores of your own.`,
    );
  }
  const version = /version "([\d._]+)/.exec(output)?.[1] ?? "";
  // Java 8 reports its version as 1.8.
  if (!(Number(version.split(".")[0]) >= OLDEST_JAVA)) {
    throw new EmbeddedError(
      `Java ${version || "of an unknown version"} is too old: install Java ${OLDEST_JAVA} or later, or point JAVA_HOME to one.`,
    );
  }
  return { file, version };
}
