// A helper registers clean-up wherever it is called. vitest takes hooks only while it collects a file: an afterAll
// that is called in a test, or in a beforeAll, never runs.
import { afterAll, onTestFinished, TestRunner } from "vitest";

const registered: (() => unknown)[] = [];

// Every file of the levels with stores has its own process, and with it its own copy of this module.
afterAll(async () => {
  for (const run of registered.splice(0).toReversed()) await run();
});

/**
 * Runs the function when the test that calls this has ended, or, outside of tests, when all tests of the file have.
 * The function registered last runs first.
 */
export function atTheEnd(run: () => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) registered.push(run);
  else onTestFinished(async () => void (await run()));
}
