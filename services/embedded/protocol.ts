// Messages between the launcher and its guard, over the IPC channel.
import { z } from "zod";

export const partNames = ["kafka", "registry", "redis", "clickhouse"] as const;
export type PartName = (typeof partNames)[number];

const partName = z.enum(partNames);

const guardOptions = z.object({
  dataDir: z.string(),
  cacheDir: z.string(),
  /** Environment of the children: PATH, JAVA_HOME, ... */
  env: z.record(z.string(), z.string()),
  parts: z.array(partName),
});
export type GuardOptions = z.infer<typeof guardOptions>;

export const toGuard = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), options: guardOptions }),
  z.object({ type: z.literal("halt"), part: partName, id: z.number() }),
  z.object({ type: z.literal("resume"), part: partName, id: z.number() }),
]);
export type ToGuard = z.infer<typeof toGuard>;

export const fromGuard = z.discriminatedUnion("type", [
  z.object({ type: z.literal("progress"), text: z.string() }),
  z.object({ type: z.literal("pid"), part: partName, pid: z.number().nullable() }),
  z.object({ type: z.literal("ready"), env: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal("failed"), message: z.string(), expected: z.boolean() }),
  z.object({ type: z.literal("done"), id: z.number(), error: z.string().nullable() }),
]);
export type FromGuard = z.infer<typeof fromGuard>;
