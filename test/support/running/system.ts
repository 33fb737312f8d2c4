import { inject, onTestFinished } from "vitest";
import { topics } from "../../../schemas/topics.ts";
import { type Inspector, openInspector } from "../clients/final-state-inspector.ts";
import { launchSystem, type System } from "./launch-system.ts";
import { useStack } from "./stack.ts";

export type { System } from "./launch-system.ts";

/**
 * The number of partitions of the topics keyed by data source. Each costs time at every start and takeover; the long
 * form of the fault tests has them all.
 */
export const PARTITIONS = inject("extent") === "full" ? topics["camera-log"].partitions : 4;

/**
 * Without this setting the API refuses when writes wait for half a second: on a busy machine this happens without a
 * flood.
 */
export const UNHURRIED = { API_QUEUE_MS: "10000" };

/**
 * An insert of one row costs the store as much as one of a thousand. This setting suits tests that write for a while
 * and then ask: the history is a second behind.
 */
export const FEW_INSERTS = { PROJECTOR_FLUSH_MS: "1000" };

/** Ready to use; everything is stopped when the test ends. `settings` are more variables for all services. */
export async function startSystem(settings: Readonly<Record<string, string>> = {}): Promise<System> {
  const stack = useStack();
  const all = { ...UNHURRIED, CAMERA_PARTITIONS: String(PARTITIONS), ...settings };
  const { system, stop } = await launchSystem(stack.env, stack.uniqueName("test"), all);
  onTestFinished(stop);
  return system;
}

/** Closed when the test ends. */
export async function inspect(system: System): Promise<Inspector> {
  const inspector = await openInspector(system);
  onTestFinished(inspector.close);
  return inspector;
}
