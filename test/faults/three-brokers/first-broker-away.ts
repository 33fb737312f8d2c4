// One absence of the first broker for all tests that need it away, which run at the same time: each start of a broker
// costs seven seconds of processor time.
import type { TestContext } from "vitest";
import { sharedCluster } from "./shared-cluster.ts";

export interface Outage {
  /** Resolves when the broker is away. It goes when all tests have called this, or have ended. */
  begins(): Promise<void>;
  /** Resolves when the broker is back. It comes back when all tests have called this, or have ended. */
  ends(): Promise<void>;
}

/** Registers work for the end of a test; tests that run at the same time each have one of their own. */
export type AtTheEnd = TestContext["onTestFinished"];

/** The number of tests that join. vitest runs at most five at the same time. */
const TESTS = 5;

const firstBroker = () => sharedCluster().nodes[0];
const gone = meeting(TESTS, async () => firstBroker()?.halt());
const back = meeting(TESTS, async () => firstBroker()?.start());

/** Each test calls this once, before anything that can fail: without it the others would wait for ever. */
export function joinOutage(onTestFinished: AtTheEnd): Outage {
  const outage = { begins: gone(), ends: back() };
  onTestFinished(() => {
    // The others report it if the broker cannot be stopped or started.
    outage.begins().catch(() => undefined);
    outage.ends().catch(() => undefined);
  });
  return outage;
}

/**
 * Does the work when as many have arrived as are expected. Returns a function that makes the arrival of one: called
 * again, it counts no second time.
 */
function meeting(expected: number, work: () => Promise<unknown>): () => () => Promise<void> {
  const done = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    let isHere = false;
    return () => {
      if (!isHere && ++arrived === expected) work().then(() => done.resolve(), done.reject);
      isHere = true;
      return done.promise;
    };
  };
}
