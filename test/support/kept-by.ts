import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * How many bytes become old objects, of V8's two kinds, while the work is done and the young objects are collected. Objects that
 * nobody needs any more are among them only if an old object refers to them.
 */
export async function keptBy(work: () => Promise<unknown>): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect: NodeJS.GCFunction = runInNewContext("gc");
  const collectYoung = () => collect({ type: "minor" });
  // What compiled code and its feedback take is there after the first time.
  await work();
  collectYoung();
  collectYoung();
  const before = oldBytes();
  await work();
  collectYoung();
  collectYoung();
  return oldBytes() - before;
}

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size ?? 0;
