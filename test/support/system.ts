import { onTestFinished } from "vitest";
import { launchSystem, type System } from "./launch-system.ts";
import { useStack } from "./stack.ts";

export type { System } from "./launch-system.ts";

/** Ready to use; everything is stopped when the test ends. `settings` are more variables for all services. */
export async function startSystem(settings: Readonly<Record<string, string>> = {}): Promise<System> {
  const stack = useStack();
  const { system, stop } = await launchSystem(stack.env, stack.uniqueName("test"), settings);
  onTestFinished(stop);
  return system;
}
