import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * How many bytes the old objects of V8 grow by while the work is done and only young objects are collected. What nobody needs any
 * more is among them only if an old object refers to it. The larger of two measurements: V8 may collect the old objects in one.
 */
export async function keptBy(work: () => Promise<unknown>): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect: NodeJS.GCFunction = runInNewContext("gc");
  const collectYoung = () => collect({ type: "minor" });
  // What compiled code and its feedback take is there after the first time.
  await grownBy(work, collectYoung);
  return Math.max(await grownBy(work, collectYoung), await grownBy(work, collectYoung));
}

async function grownBy(work: () => Promise<unknown>, collectYoung: () => void): Promise<number> {
  const before = oldBytes();
  await work();
  // An object is old after two collections.
  collectYoung();
  collectYoung();
  return oldBytes() - before;
}

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size ?? 0;
