// A helper registers clean-up wherever it is called. vitest takes hooks only while it collects a file: an afterAll
// that is called in a test, or in a beforeAll, never runs.
import { onTestFinished, TestRunner } from "vitest";

const registered: (() => unknown)[] = [];

/** The set-up of every test file calls it, because files of one worker share this module. */
export async function endFile(): Promise<void> {
  for (const run of registered.splice(0).toReversed()) await run();
}

/**
 * Runs the function when the test that calls this has ended, or, outside of tests, when all tests of the file have.
 * The function registered last runs first.
 */
export function atTheEnd(run: () => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) registered.push(run);
  else onTestFinished(async () => void (await run()));
}
