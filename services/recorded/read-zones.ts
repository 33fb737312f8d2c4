// Versions of zones, with the time at which each was written: the zones at any place in the log follow from them. Each
// session reads the topic for itself, and once (find-zones.ts), because all versions together may not fit into memory.
import type { KafkaMessage } from "kafkajs";
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
  for await (const message of readMessages(stretch, deps)) {
    const version = versionIn(message, deps);
    if (version?.refusal === null && sources.has(version.dataSourceId)) yield version;
  }
}

/** Yields the versions with one of these ids in their bytes, in the order of the topic. Others are not decoded. */
export async function* readVersionsWith(
  ids: readonly string[],
  deps: ReadZonesDeps,
): AsyncGenerator<WrittenVersion, undefined> {
  const bytes = ids.map((id) => Buffer.from(id));
  for await (const message of readMessages(deps.zones, deps)) {
    const isNamed = bytes.some((id) => message.value?.includes(id));
    const version = isNamed ? versionIn(message, deps) : undefined;
    if (version !== undefined) yield version;
  }
}

function versionIn({ offset, value, headers, timestamp }: KafkaMessage, { codec }: ReadZonesDeps) {
  const read = readMessage(codec, "zones", value);
  if (!read.ok) return undefined;
  const logId = headers?.[LOG_ID]?.toString();
  return { ...read.event, logId, writtenAt: Number(timestamp), place: Number(offset) } satisfies WrittenVersion;
}
