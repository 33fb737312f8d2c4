// The zones as they were at a time of the log, from the versions in their topic.
import type { Admin } from "kafkajs";
import { createZonesView, type ZonesView } from "../../projections/catalog/zones-view.ts";
import type { Zone, ZoneVersion } from "../../schemas/events.ts";
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

/** Resolves with the view that a process had when it had read the versions written at `at` (ms) or before. */
export async function readZonesAsOf(at: number, deps: ZonesAsOfDeps): Promise<ZonesView> {
  const view = createZonesView();
  for await (const { version, logId } of versionsUntil(at, deps)) view.apply(version, logId);
  return view;
}

export interface ZoneAsOf {
  readonly zone: Zone;
  /** Broker time of the version with which the zone came to its data source, ms. */
  readonly hereSince: number;
}

/** Resolves with one zone. Other versions are not decoded. */
export async function readZoneAsOf(zoneId: string, at: number, deps: ZonesAsOfDeps): Promise<ZoneAsOf | undefined> {
  const view = createZonesView();
  const since = new Map<string, number>();
  for await (const { version, logId, writtenAt } of versionsUntil(at, deps, zoneId)) {
    const { dataSourceId, zone, refusal } = version;
    view.apply(version, logId);
    if (refusal !== null) continue;
    if (zone === null) since.delete(dataSourceId);
    else if (!since.has(dataSourceId)) since.set(dataSourceId, writtenAt);
  }
  const zone = view.zone(zoneId);
  return zone && { zone, hereSince: since.get(zone.dataSourceId) ?? at };
}

interface ReadVersion {
  readonly version: ZoneVersion;
  readonly logId: string | undefined;
  readonly writtenAt: number;
}

async function* versionsUntil(at: number, deps: ZonesAsOfDeps, only?: string): AsyncGenerator<ReadVersion, void> {
  const { admin, zones, codec, pace } = deps;
  const ends = await offsetsSince(admin, zones.topic, at + 1, [zones.partition]);
  const end = Math.min(zones.end, ends.get(zones.partition) ?? zones.end);
  const id = only === undefined ? undefined : Buffer.from(only);
  for await (const { value, headers, timestamp } of readMessages({ ...zones, end }, deps)) {
    await pace();
    if (id !== undefined && value?.includes(id) !== true) continue;
    const read = readMessage(codec, "zones", value);
    if (!read.ok || (only !== undefined && read.event.zoneId !== only)) continue;
    yield { version: read.event, logId: headers?.[LOG_ID]?.toString(), writtenAt: Number(timestamp) };
  }
}
