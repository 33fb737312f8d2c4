// One system for all tests of a file. Each test has a scene of its own on it, and leaves it with one process of each
// service.
import { afterAll, beforeAll } from "vitest";
import { quickSettings } from "../support/running/final-state-settings.ts";
import { type LaunchedSystem, launchSystem, type System } from "../support/running/launch-system.ts";
import { useStack } from "../support/running/stack.ts";
import { PARTITIONS, UNHURRIED } from "../support/running/system.ts";

/** Runs from before the first test of the file until after the last. */
export function shareSystem(): () => System {
  let launched: LaunchedSystem | undefined;
  beforeAll(async () => {
    const { env, uniqueName } = useStack();
    const settings = { ...UNHURRIED, CAMERA_PARTITIONS: String(PARTITIONS), ...(await quickSettings(env)) };
    launched = await launchSystem(env, uniqueName("test"), settings);
  });
  afterAll(() => launched?.stop());
  return () => {
    if (launched === undefined) throw new Error("the system starts before the first test");
    return launched.system;
  };
}
