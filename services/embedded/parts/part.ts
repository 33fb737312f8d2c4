import type { FetchContext } from "../tools/artifacts.ts";
import type { Java } from "../tools/java.ts";
import type { ProcessSpec } from "../tools/supervised.ts";

export interface PartContext extends FetchContext {
  readonly dataDir: string;
  readonly logDir: string;
  /** Java is searched once, by the first part that needs it. Throws EmbeddedError. */
  readonly java: () => Promise<Java>;
}

/** A store that is ready to be started: the process, and the variables for its clients. */
export interface Prepared {
  readonly spec: ProcessSpec;
  readonly env: Readonly<Record<string, string>>;
}

export type Prepare = (context: PartContext) => Promise<Prepared>;
