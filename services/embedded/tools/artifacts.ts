// Programs that come from Maven, kept unpacked in a cache that all data directories share.
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { prepareDir } from "./data-dir.ts";
import { EmbeddedError } from "./errors.ts";
import { createFetchProgress, type FetchProgress } from "./fetch-progress.ts";
import { runTool } from "./tool.ts";

export interface Artifact {
  /** Folder in the cache; its name has the version, so that an upgrade fetches again. */
  readonly folder: string;
  readonly title: string;
  /** Maven coordinates; with `unpack` group:artifact:version[:type[:classifier]]. */
  readonly coordinates: string;
  readonly how: "with-dependencies" | "unpack";
  /** Ant pattern of the files to unpack; by default all. */
  readonly includes?: string;
}

export interface FetchContext {
  readonly cacheDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

const DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";

/**
 * Returns the folder of the artifact, which is fetched first if the cache lacks it. Throws EmbeddedError when it cannot
 * be fetched.
 */
export async function fetchArtifact(artifact: Artifact, context: FetchContext): Promise<string> {
  const folder = join(context.cacheDir, artifact.folder);
  if (existsSync(folder)) return folder;
  await prepareDir(context.cacheDir);
  context.onProgress(`fetching ${artifact.title} from Maven (once)`);
  const progress = createFetchProgress(artifact.title, performance.now());
  const work = await mkdtemp(join(context.cacheDir, "fetch-"));
  try {
    const content = join(work, "content");
    await runMaven(artifact, await mavenArguments(artifact, work, content), { ...context, cwd: work, progress });
    await moveInto(folder, content);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  context.onProgress(`fetched ${artifact.title}: ${progress.total()}`);
  return folder;
}

/** A rename is all or nothing: an interrupted fetch leaves the cache as it was. */
async function moveInto(folder: string, content: string): Promise<void> {
  try {
    await rename(content, folder);
  } catch (error) {
    // Another process has fetched the same artifact meanwhile: its copy is as good.
    if (!existsSync(folder)) throw error;
  }
}

async function mavenArguments(artifact: Artifact, work: string, content: string): Promise<string[]> {
  const common = ["-B", `-DoutputDirectory=${content}`];
  if (artifact.how === "unpack") {
    const includes = artifact.includes === undefined ? [] : [`-Dmdep.unpack.includes=${artifact.includes}`];
    return [...common, ...includes, `-Dartifact=${artifact.coordinates}`, `${DEPENDENCY_PLUGIN}:unpack`];
  }
  const pom = join(work, "pom.xml");
  await writeFile(pom, pomOf(artifact.coordinates.split(" ")));
  return [...common, "-f", pom, "-DincludeScope=runtime", `${DEPENDENCY_PLUGIN}:copy-dependencies`];
}

function pomOf(coordinates: readonly string[]): string {
  const dependencies = coordinates.map((text) => {
    const [group, name, version] = text.split(":");
    return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;
  });
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>',
    "<groupId>tracklog</groupId><artifactId>embedded</artifactId><version>1</version>",
    `<dependencies>${dependencies.join("")}</dependencies></project>`,
  ].join("\n");
}

async function runMaven(
  artifact: Artifact,
  args: readonly string[],
  context: FetchContext & { readonly cwd: string; readonly progress: FetchProgress },
): Promise<void> {
  const { exitCode, found, output } = await runTool({
    file: "mvn",
    args,
    env: context.env,
    // Without a project the plugin writes its markers into the working directory.
    cwd: context.cwd,
    signal: context.signal,
    onLine: (line) => {
      const shown = context.progress.line(line, performance.now());
      if (shown !== undefined) context.onProgress(shown);
    },
  });
  if (exitCode === 0) return;
  if (!found) {
    throw new EmbeddedError(
      "Maven was not found: install it so that mvn is on the PATH, or set the addresses of stores of your own.",
    );
  }
  const reason = output.split("\n").find((line) => line.includes("[ERROR]")) ?? "it was interrupted";
  throw new EmbeddedError(
    `${artifact.title} could not be fetched (${reason.replace("[ERROR]", "").trim()}): check the network and start again.`,
  );
}
