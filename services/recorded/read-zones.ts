// Versions of zones, with the time at which each was written: the zones at any place in the log follow from them. Each
// session reads the topic for itself, and once (find-zones.ts), because all versions together may not fit into memory.
import type { KnownVersion } from "../../projections/live/zones-at.ts";
import { LOG_ID } from "../../schemas/headers.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { type LogStretch, type ReadMessagesDeps, readMessages } from "./read-messages.ts";

export interface WrittenVersion extends KnownVersion {
  /** Broker time, ms. */
  readonly writtenAt: number;
  /** Offset in the zones' topic. */
  readonly place: number;
}

export interface ReadZonesDeps extends ReadMessagesDeps {
  /** Stretch of the zones' topic. */
  readonly zones: LogStretch;
}

/** Yields the versions of these data sources that were not refused, in the order of the topic. */
export async function* readZoneVersions(
  dataSourceIds: readonly string[],
  deps: ReadZonesDeps,
  stretch: LogStretch = deps.zones,
): AsyncGenerator<WrittenVersion, undefined> {
  const sources = new Set(dataSourceIds);
  for await (const { offset, value, headers, timestamp } of readMessages(stretch, deps)) {
    const read = readMessage(deps.codec, "zones", value);
    if (!read.ok || read.event.refusal !== null || !sources.has(read.event.dataSourceId)) continue;
    const logId = headers?.[LOG_ID]?.toString();
    yield { ...read.event, logId, writtenAt: Number(timestamp), place: Number(offset) };
  }
}
