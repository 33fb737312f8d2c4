// The zones as they were at a time of the log, from the versions in their topic.
import type { Admin } from "kafkajs";
import { createZonesView, type ZonesView } from "../../projections/catalog/zones-view.ts";
import { LOG_ID } from "../../schemas/headers.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { offsetsSince } from "../common/kafka/offsets.ts";
import { type LogStretch, type ReadMessagesDeps, readMessages } from "./read-messages.ts";

export interface ZonesAsOfDeps extends ReadMessagesDeps {
  readonly admin: Admin;
  /** The whole zones' topic. */
  readonly zones: LogStretch;
  /** Called after each message; a promise must be awaited, so that the event loop is not held. */
  readonly pace: () => Promise<void> | undefined;
}

/**
 * Resolves with the view that a process had when it had read the versions written at `at` (ms) or before.
 * @param only an id: then the view has this zone only, and other versions are not decoded.
 */
export async function readZonesAsOf(at: number, deps: ZonesAsOfDeps, only?: string): Promise<ZonesView> {
  const { admin, zones, codec, pace } = deps;
  const ends = await offsetsSince(admin, zones.topic, at + 1, [zones.partition]);
  const end = Math.min(zones.end, ends.get(zones.partition) ?? zones.end);
  const view = createZonesView();
  const id = only === undefined ? undefined : Buffer.from(only);
  for await (const { value, headers } of readMessages({ ...zones, end }, deps)) {
    await pace();
    if (id !== undefined && value?.includes(id) !== true) continue;
    const read = readMessage(codec, "zones", value);
    if (!read.ok || (only !== undefined && read.event.zoneId !== only)) continue;
    view.apply(read.event, headers?.[LOG_ID]?.toString());
  }
  return view;
}
