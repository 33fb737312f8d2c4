import { onTestFinished } from "vitest";
import { type Inspector, openInspector } from "./final-state-inspector.ts";
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

/** Closed when the test ends. */
export async function inspect(system: System): Promise<Inspector> {
  const inspector = await openInspector(system);
  onTestFinished(inspector.close);
  return inspector;
}
