// The zones as they were at a time of the log, from the versions in their topic.
import type { Admin } from "kafkajs";
import { createZonesView, type ZonesView } from "../../projections/catalog/zones-view.ts";
import type { Zone } from "../../schemas/events.ts";
import { LOG_ID } from "../../schemas/headers.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { offsetsSince } from "../common/kafka/offsets.ts";
import { type LogStretch, type ReadMessagesDeps, readMessages } from "./read-messages.ts";
import type { WrittenVersion } from "./read-zones.ts";

export interface ZonesAsOfDeps extends ReadMessagesDeps {
  readonly admin: Admin;
  /** The whole zones' topic. */
  readonly zones: LogStretch;
  /** Called after each message; a promise must be awaited, so that the event loop is not held. */
  readonly pace: () => Promise<void> | undefined;
}

/** Resolves with the view that a process had when it had read the versions written at `at` (ms) or before. */
export async function readZonesAsOf(at: number, deps: ZonesAsOfDeps): Promise<ZonesView> {
  const { admin, zones, codec, pace } = deps;
  const view = createZonesView();
  const ends = await offsetsSince(admin, zones.topic, at + 1, [zones.partition]);
  const end = Math.min(zones.end, ends.get(zones.partition) ?? zones.end);
  for await (const { value, headers } of readMessages({ ...zones, end }, deps)) {
    await pace();
    const read = readMessage(codec, "zones", value);
    if (read.ok) view.apply(read.event, headers?.[LOG_ID]?.toString());
  }
  return view;
}

export interface ZoneAsOf {
  readonly zone: Zone;
  /** Broker time of the version with which the zone came to its data source, ms. */
  readonly hereSince: number;
}

/** Follows one zone. It gets all versions of the zone, in the order of the topic. */
export function createZoneAsOf(zoneId: string, at: number) {
  const view = createZonesView();
  const since = new Map<string, number>();
  return {
    add(version: WrittenVersion): void {
      const { dataSourceId, zone, refusal, logId, writtenAt } = version;
      if (writtenAt > at) return;
      view.apply(version, logId);
      if (refusal !== null) return;
      if (zone === null) since.delete(dataSourceId);
      else if (!since.has(dataSourceId)) since.set(dataSourceId, writtenAt);
    },
    /** @returns undefined when there was no such zone. */
    found(): ZoneAsOf | undefined {
      const zone = view.zone(zoneId);
      return zone && { zone, hereSince: since.get(zone.dataSourceId) ?? at };
    },
  };
}
