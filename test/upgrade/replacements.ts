// Replaces processes one after the other, and measures what callers and readers of the log notice.
import { setTimeout as delay } from "node:timers/promises";
import type { Callers } from "./callers.ts";
import { type Fleet, nameOf, type Place } from "./fleet.ts";
import type { Gap } from "./gap.ts";
import type { LagWatch, Reader } from "./lag-watch.ts";
import type { Version } from "./versions.ts";

/** All times in ms. */
export interface Replaced {
  readonly place: Place;
  readonly version: Version;
  readonly stopMs: number;
  readonly startMs: number;
  /** From the readiness of the new process until no reader lags behind more than before. */
  readonly backMs: number;
  readonly largestLagMs: Readonly<Record<Reader, number>>;
  readonly longestGapMs: Readonly<Record<GapName, number>>;
  readonly retryable: Readonly<Record<string, number>>;
}

export type GapName = "graphql" | "rest" | "subscriber" | "webhooks";

export interface Scene {
  readonly fleet: Fleet;
  readonly callers: Callers;
  readonly lag: LagWatch;
  readonly gaps: Readonly<Record<GapName, Gap>>;
  /** How long a process works before the next one is replaced. */
  readonly pauseMs: number;
  /** The lag of every reader must be back so soon. */
  readonly goalMs: number;
  readonly complain: (text: string) => void;
  readonly print: (text: string) => void;
}

/** A lag that is not back then is a difference, and the next process is replaced all the same. */
const GIVE_UP_MS = 30_000;

/** Adds the figures of each process to `replaced`. */
export async function replaceAll(
  scene: Scene,
  order: readonly Place[],
  version: Version,
  replaced: Replaced[],
): Promise<void> {
  for (const place of order) {
    replaced.push(await replaceOne(scene, place, version));
    await delay(scene.pauseMs);
  }
}

async function replaceOne(scene: Scene, place: Place, version: Version): Promise<Replaced> {
  const { fleet, callers, lag, complain, print } = scene;
  const name = nameOf(place);
  const before = callers.retryable();
  // The largest lag of the pause before, which a busy machine makes longer.
  const usual = lag.take();
  takeAll(scene.gaps);
  const { code, stopMs, startMs, output } = await fleet.replace(place, version);
  const readyAt = performance.now();
  await lag.back(Math.max(GIVE_UP_MS, scene.goalMs), usual);
  const backMs = performance.now() - readyAt;
  if (code !== 0) complain(`${name} ended with code ${code} when told to stop`);
  if (output.includes("part did not stop cleanly")) complain(`${name} did not stop cleanly`);
  if (backMs > scene.goalMs) complain(`after ${name} a reader lagged behind for ${(backMs / 1_000).toFixed(1)} s`);
  const times = { stopMs, startMs, backMs };
  const text = Object.entries(times).map(([what, ms]) => `${what} ${Math.round(ms)}`);
  print(`${name} is ${version.name}: ${text.join(", ")}`);
  return {
    ...{ place, version, stopMs, startMs, backMs },
    largestLagMs: lag.take(),
    longestGapMs: takeAll(scene.gaps),
    retryable: differenceOf(before, callers.retryable()),
  };
}

const takeAll = (gaps: Scene["gaps"]): Record<GapName, number> => ({
  graphql: gaps.graphql.take(),
  rest: gaps.rest.take(),
  subscriber: gaps.subscriber.take(),
  webhooks: gaps.webhooks.take(),
});

const differenceOf = (before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(after).flatMap(([kind, count]) => {
      const more = count - (before[kind] ?? 0);
      return more > 0 ? [[kind, more] as const] : [];
    }),
  );
