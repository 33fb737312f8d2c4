import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const MEASUREMENTS = 4;

/**
 * How many bytes the old objects of V8 grow by while the work is done and only young objects are collected. What nobody needs any
 * more is among them only if an old object refers to it. The second largest of four measurements: V8 may collect the old objects
 * in one or two, and what other tests of the process left running may make objects old in another.
 */
export async function keptBy(work: () => Promise<unknown>): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect: NodeJS.GCFunction = runInNewContext("gc");
  const collectYoung = () => collect({ type: "minor" });
  // What compiled code and its feedback take is there after the first time.
  await grownBy(work, collectYoung);
  const grown: number[] = [];
  for (let i = 0; i < MEASUREMENTS; i++) grown.push(await grownBy(work, collectYoung));
  return grown.toSorted((a, b) => b - a)[1] ?? Number.POSITIVE_INFINITY;
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
