// Plays deliveries through a system, and compares the states that REST answers with the expected ones at every
// hundredth detection.

import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { boxRing } from "../../../services/cli/demo/scene/scene.ts";
import type { CameraDelivery } from "../../../services/cli/demo/scene/types.ts";
import type { Inspector } from "../clients/final-state-inspector.ts";
import type { System } from "../running/launch-system.ts";
import { until } from "../running/processes.ts";
import { playDelivery } from "../scenes/play-scene.ts";
import { createLiveOracle, type OracleZone } from "./live-oracle.ts";

export interface Played {
  readonly dataSourceId: string;
  readonly zones: readonly OracleZone[];
  readonly deliveries: readonly CameraDelivery[];
}

/** GET; throws on a refusal. */
export type Get = (path: string) => Promise<object>;

const EVERY = 100;

/** Resolves with the number of compared states; rejects with the first difference. */
export async function compareLive(
  { client }: Pick<System, "client">,
  { redis, namespace }: Pick<Inspector, "redis" | "namespace">,
  get: Get,
  { dataSourceId, zones, deliveries }: Played,
): Promise<number> {
  const oracle = createLiveOracle(zones);
  /** Since the last comparison; the last one is of all. */
  const touched = new Set<string>();
  let [detections, compared] = [0, 0];
  for (const [i, delivery] of deliveries.entries()) {
    const position = await playDelivery(client, delivery, dataSourceId);
    report(oracle, delivery);
    for (const { trackId } of delivery.detections) touched.add(trackId);
    const before = detections;
    detections += delivery.detections.length;
    const isDue = Math.floor(detections / EVERY) > Math.floor(before / EVERY) || i === deliveries.length - 1;
    if (!isDue) continue;
    const [, partition = 0, offset = 0] = /camera-log\D+(\d+)\D+(\d+)/.exec(position)?.map(Number) ?? [];
    const next = () => redis.hget(partitionKeys(namespace, partition).position, "next");
    await until(async () => Number(await next()) > offset);
    if (i === deliveries.length - 1) for (const trackId of oracle.trackIds()) touched.add(trackId);
    for (const trackId of touched) expectSame(await get(`/api/tracks/${trackId}`), oracle.track(trackId));
    for (const { zoneId } of zones) expectSame(await get(`/api/zones/${zoneId}`), oracle.zone(zoneId));
    compared += touched.size + zones.length;
    touched.clear();
  }
  return compared;
}

function report(oracle: ReturnType<typeof createLiveOracle>, delivery: CameraDelivery): void {
  if (delivery.type === "trackStarted") oracle.started(delivery.trackId, delivery.tag, delivery.startTime);
  for (const each of delivery.detections) oracle.seen(each.trackId, each.timestamp, boxRing(each));
  if (delivery.type === "trackExpired") oracle.ended(delivery.trackId, delivery.endTime);
}

/** REST answers these fields too, but only the services know their values. */
const NOT_EXPECTED = ["datasource_id", "datasource_name", "device_id", "site_id", "site_name", "applied_at"];

function expectSame(actual: object, expected: object): void {
  const known = Object.fromEntries(Object.entries(actual).filter(([name]) => !NOT_EXPECTED.includes(name)));
  const difference = differenceOf(known, expected, "");
  if (difference !== undefined)
    throw new Error(`${difference}\n${JSON.stringify(actual)}\n${JSON.stringify(expected)}`);
}

/** Sums of fractions differ in their last digits with their order. */
const TOLERANCE = 1e-7;

function differenceOf(actual: unknown, expected: unknown, path: string): string | undefined {
  if (typeof actual === "number" && typeof expected === "number") {
    const near = Math.abs(actual - expected) <= TOLERANCE * Math.max(1, Math.abs(expected));
    return near ? undefined : `${path}: ${actual}, expected ${expected}`;
  }
  if (!isObject(actual) || !isObject(expected)) {
    return actual === expected ? undefined : `${path}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`;
  }
  for (const name of new Set([...Object.keys(actual), ...Object.keys(expected)])) {
    const difference = differenceOf(actual[name], expected[name], `${path}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
