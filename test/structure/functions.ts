// Functions that a stranger cannot read in one sitting.
import type { Finding } from "./language.ts";
import type { Source } from "./sources.ts";

export const LONGEST_FUNCTION = 60;

/** Tables may be of any length. A factory counts with all the functions in it. */
export const longFunctions = (sources: readonly Source[]): Finding[] =>
  sources.flatMap(({ path, functions }) =>
    functions.flatMap(({ name, line, lines, isTable }) =>
      lines > LONGEST_FUNCTION && !isTable ? [{ place: `${path}:${line}`, text: `${name} has ${lines} lines` }] : [],
    ),
  );
