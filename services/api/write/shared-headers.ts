// The headers of tracks that the instances share in Redis. Each field has the place in the log that it comes from, so
// that an instance that does not know another's update cannot overwrite it with an older value. An entry is of one track:
// places in the logs of two data sources cannot be compared, so the other track with its id takes it over whole.
import type { Redis } from "ioredis";
import type { TrackHeader } from "../../../projections/track/header.ts";
import { trackHeaderKey } from "../../../schemas/redis-keys.ts";

export type HeaderField = keyof TrackHeader;

/** Of two values of a field the one with the higher version counts. */
export type VersionOf = (field: HeaderField) => number;

/** The first creation in the log counts, whatever a repetition says. */
export const createdAt =
  (offset: number): VersionOf =>
  () =>
    -1 - offset;

/** The last update in the log outweighs all others. Fields that it left alone rank lowest: they may be out of date. */
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

// A stored value is its version, a colon and the value.
const WRITE_SCRIPT = `
local source = redis.call('HGET', KEYS[1], 'dataSourceId')
if source and string.match(source, ':(.*)$') ~= ARGV[2] then redis.call('DEL', KEYS[1]) end
for at = 3, #ARGV, 3 do
  local stored = redis.call('HGET', KEYS[1], ARGV[at])
  if not stored or tonumber(string.match(stored, '^[^:]*')) < tonumber(ARGV[at + 1]) then
    redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1] .. ':' .. ARGV[at + 2])
  end
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return redis.call('HGETALL', KEYS[1])
`;

export function createSharedHeaders(redis: Redis, namespace: string, ttlSeconds: number): SharedHeaders {
  return {
    async read(trackIds) {
      const entries = await Promise.all(trackIds.map((id) => redis.hgetall(trackHeaderKey(namespace, id))));
      return entries.flatMap((entry) => (Object.keys(entry).length === 0 ? [] : [headerOf(Object.entries(entry))]));
    },

    async write(header, versionOf) {
      const args = fieldsOf(header).flatMap((field) => [field, versionOf(field), JSON.stringify(header[field])]);
      const source = JSON.stringify(header.dataSourceId);
      const key = trackHeaderKey(namespace, header.trackId);
      const reply = (await redis.eval(WRITE_SCRIPT, 1, key, ttlSeconds, source, ...args)) as string[];
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
