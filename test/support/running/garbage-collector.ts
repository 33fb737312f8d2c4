import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns V8's collection of garbage, which Node has only with a flag. */
export function garbageCollector(): NodeJS.GCFunction {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
