import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { garbageCollector } from "./garbage-collector.ts";

const MEASUREMENTS = 7;

/**
 * Resolves with the bytes by which V8's old objects grow while the work is done and only young objects are collected.
 * Garbage is among them only if an old object refers to it.
 * The result is the median of seven measurements. V8 may collect old objects during some of them, and other tests of
 * the process may have left so many objects that V8 makes new ones old early during others.
 */
export async function keptBy(work: () => Promise<unknown>): Promise<number> {
  // V8 makes objects of some places in the old space from the start, when it happened to see several of them survive.
  setFlagsFromString("--no-allocation-site-pretenuring");
  const collect = garbageCollector();
  const collectYoung = () => collect({ type: "minor" });
  // The first run also keeps compiled code and its feedback, so it is not measured.
  await grownBy(work, collectYoung);
  const grown: number[] = [];
  for (let i = 0; i < MEASUREMENTS; i++) grown.push(await grownBy(work, collectYoung));
  return grown.toSorted((a, b) => a - b)[Math.floor(MEASUREMENTS / 2)] ?? Number.POSITIVE_INFINITY;
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
