// Headers of tracks that the instances share in Redis. Each field has the position in the log that it comes from, so
// that an instance that lacks another's update cannot overwrite it with an older value. An entry belongs to one track:
// positions in the logs of two data sources cannot be compared, so another track with the same id replaces the whole
// entry.
import { z } from "zod";
import type { TrackHeader } from "../../../projections/track/header.ts";
import { trackHeaderKey } from "../../../schemas/redis-keys.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { redisScript } from "../../common/redis/script.ts";

export type HeaderField = keyof TrackHeader;

/** Returns the version of a field's value. Of two values of a field, the one with the higher version is kept. */
export type VersionOf = (field: HeaderField) => number;

/** Versions for a creation: an earlier offset gives a higher version, because the first creation in the log counts. */
export const createdAt =
  (offset: number): VersionOf =>
  () =>
    -1 - offset;

/**
 * Versions for an update: the last one in the log has the highest. Fields that the update did not change have the
 * lowest version, because this instance's values of them may be out of date.
 */
export const updatedAt =
  (offset: number, changed: ReadonlySet<HeaderField>): VersionOf =>
  (field) =>
    changed.has(field) ? offset : REMEMBERED;

const REMEMBERED = Number.MIN_SAFE_INTEGER;

export interface SharedHeaders {
  /** Returns the headers that have an entry. */
  read(trackIds: readonly string[]): Promise<readonly TrackHeader[]>;
  /** Writes the fields that are newer than the stored ones; resolves with the entry after that. */
  write(header: TrackHeader, versionOf: VersionOf): Promise<TrackHeader>;
}

const shareHeader = redisScript(new URL("share-header.lua", import.meta.url), {
  keys: ["header"],
  arguments: ["ttlSeconds", "source", "fields..."],
  reply: z.array(z.string()),
});

export function createSharedHeaders(redis: RedisClient, namespace: string, ttlSeconds: number): SharedHeaders {
  return {
    async read(trackIds) {
      const entries = await Promise.all(trackIds.map((id) => redis.hgetall(trackHeaderKey(namespace, id))));
      return entries.flatMap((entry) => (Object.keys(entry).length === 0 ? [] : [headerOf(Object.entries(entry))]));
    },

    async write(header, versionOf) {
      const fields = fieldsOf(header).flatMap((field) => [field, versionOf(field), JSON.stringify(header[field])]);
      const source = JSON.stringify(header.dataSourceId);
      const key = trackHeaderKey(namespace, header.trackId);
      const reply = await shareHeader(redis, { header: key, ttlSeconds, source, fields });
      return headerOf(reply.flatMap((field, i) => (i % 2 === 0 ? [[field, reply[i + 1] ?? ""] as const] : [])));
    },
  };
}

const FIELDS: Readonly<Record<HeaderField, true>> = {
  trackId: true,
  dataSourceId: true,
  tag: true,
  startTime: true,
  endTime: true,
  modelId: true,
  properties: true,
  metadata: true,
};

/** A header from the history has more members than an entry. */
const fieldsOf = (header: TrackHeader): HeaderField[] => (Object.keys(header) as HeaderField[]).filter(isField);

const isField = (field: string): field is HeaderField => Object.hasOwn(FIELDS, field);

/** Every write writes all fields, so an entry is whole. */
const headerOf = (entry: readonly (readonly [string, string])[]): TrackHeader =>
  Object.fromEntries(
    entry.map(([field, text]) => [field, JSON.parse(text.slice(text.indexOf(":") + 1))]),
  ) as TrackHeader;
