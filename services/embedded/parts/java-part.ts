// Prepares a store that runs in Java: its program, and the archive of its classes for quick starts.
import { join } from "node:path";
import { type Artifact, fetchArtifact } from "../tools/artifacts.ts";
import { classArchive } from "../tools/class-archive.ts";
import type { PartContext, Prepare, Prepared } from "./part.ts";

export interface JavaRun {
  readonly context: PartContext;
  /** The file of the Java program. */
  readonly java: string;
  /** The folder of the unpacked artifact. */
  readonly program: string;
  readonly dir: string;
  readonly jvmArgs: readonly string[];
}

/** `folder` is the store's own folder in the data directory. */
export function prepareJava(
  artifact: Artifact,
  folder: string,
  describe: (run: JavaRun) => Promise<Prepared>,
): Prepare {
  return async (context) => {
    // Java is checked first: without it a download is useless.
    const java = await context.java();
    const program = await fetchArtifact(artifact, context);
    const on = (dir: string, jvmArgs: readonly string[]) =>
      describe({ context, java: java.file, program, dir, jvmArgs });
    const archived = { title: artifact.title, program, java };
    const specOn = async (dir: string, jvmArgs: readonly string[]) => (await on(dir, jvmArgs)).spec;
    const jvmArgs = await classArchive({ ...archived, describe: specOn }, context);
    return on(join(context.dataDir, folder), jvmArgs);
  };
}
