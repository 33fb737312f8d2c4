import type { FetchContext } from "../artifacts.ts";
import type { Java } from "../java.ts";
import type { ProcessSpec } from "../supervised.ts";

export interface PartContext extends FetchContext {
  readonly dataDir: string;
  readonly logDir: string;
  /** Looked for once, by the first part that asks. Throws EmbeddedError. */
  readonly java: () => Promise<Java>;
}

/** A store made ready to be started: how, and the variables that lead to it. */
export interface Prepared {
  readonly spec: ProcessSpec;
  readonly env: Readonly<Record<string, string>>;
}

export type Prepare = (context: PartContext) => Promise<Prepared>;
