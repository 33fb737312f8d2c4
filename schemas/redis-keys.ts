// Redis keys that more than one process uses. Keys that are written together have the same text in braces, so a cluster
// keeps them in one slot.

export type PartitionKeys = Readonly<Record<"position" | "tracks" | "sources" | "zones" | "past", string>>;

/** Live state of one camera-log partition. Only the state machine writes it, in one atomic step with `position`. */
export function partitionKeys(namespace: string, partition: number): PartitionKeys {
  const base = partitionBase(namespace, partition);
  return {
    /**
     * Hash. `next` = camera-log offset to apply next; `intersections` = end of the partition's zone intersections at
     * that time (schemas/outputs.ts has the fields of all topics of outputs); `geofences` = offset of the catalog up to
     * which the geofences are known; `logId` = id of the camera-log that `next` belongs to; `settings` = the settings
     * with which the state was folded. `owner`, `released`, `savedAt` (Redis' clock, s), `saves` = who wrote it and how
     * often; `held` = `saves` and the number of entries that each of the other hashes then had. `missedFrom`,
     * `missedTo` (exclusive) = the offsets that retention last deleted before they were processed. `lostLogEnd`,
     * `lostOutputsEnd` = ends of the camera-log and of the outputs when the owner found that the log had lost its end.
     */
    position: `${base}:position`,
    /**
     * Hash: trackId -> state as JSON. When several data sources have tracks with one id, all but one are under a
     * `twinField`.
     */
    tracks: `${base}:tracks`,
    /** Hash: dataSourceId -> clock and held detections as JSON. */
    sources: `${base}:sources`,
    /** Hash: zoneId -> zone as JSON. */
    zones: `${base}:zones`,
    /**
     * Hash: kind, place and `twinField` of the track -> an ended intersection, or an entered zone, as JSON
     * (projections/live/past.ts).
     */
    past: `${base}:past`,
  };
}

/**
 * Returns the field of a track that shares its id with a track of another data source that was seen later. No track id
 * contains NUL.
 */
export const twinField = (dataSourceId: string, trackId: string): string => `${dataSourceId}\u0000${trackId}`;

/** The same hashes while an owner writes them, before it renames them to the live ones. Each attempt has its own. */
export function stagedKeys(namespace: string, partition: number, attempt: string) {
  const base = `${partitionBase(namespace, partition)}:staged:${attempt}`;
  return { tracks: `${base}:tracks`, sources: `${base}:sources`, zones: `${base}:zones`, past: `${base}:past` };
}

/** Hash: field of the track's header -> version and JSON, shared by the instances of the API. */
export const trackHeaderKey = (namespace: string, trackId: string): string =>
  `${prefix(namespace)}api:track-header:${trackId}`;

/** The lease of the state-api instance that changes the subscription. */
export const subscriptionLeaseKey = (namespace: string, id: string): string =>
  `${prefix(namespace)}state-api:subscription-lease:${id}`;

/**
 * States of events, in database 1. The keys share one slot, because a script changes a state and the sets that refer to
 * it together.
 */
export function eventStateKeys(namespace: string) {
  const base = `${prefix(namespace)}state-api:{events}`;
  return {
    /** Text: id of the Redis process and of the log. The key exists once all states of that log are in Redis. */
    marker: `${base}:complete`,
    /** Sorted set: key of each event -> time at which it must be checked. */
    due: `${base}:due`,
    /** Sorted set: key of each live event of a track -> time at which the track must be checked. */
    tracks: `${base}:tracks`,
    /**
     * Hash. `state` = the event as JSON, or nothing when it is to be forgotten; `version` = its version; `token` = name
     * of the change that made it; `by` = id of the token whose caller began it; `logged` = offset at which it is in the
     * log, -1 when it may be missing there; `stale` = largest offset at which another state of the event was written.
     */
    event: (key: string) => `${base}:event:${key}`,
    /** Set: the workflows with an event under the scope. */
    scope: (scopeId: string) => `${base}:scope:${scopeId}`,
    /**
     * Hash: id of a token -> number of events that callers with the token began. Events that were restored from the log
     * do not count.
     */
    tokens: `${base}:tokens`,
  };
}

export type EventStateKeys = ReturnType<typeof eventStateKeys>;

/**
 * Signals of one partition that wait for their delivery, in database 1. Only the process in services/webhooks that owns
 * the partition writes them, except those of requested deliveries (`express`, `asked`, `askedBytes`) and `deleted`,
 * which the REST interface also writes.
 */
export function deliveryKeys(namespace: string, partition: number) {
  const base = `${prefix(namespace)}wh:{p${partition}}`;
  return {
    base,
    /**
     * Hash. `owner`; `next` = offset of the next signals to take in; `logId` = id of that log; `bytes` = size of all
     * items of all queues; `askedBytes` = size of everything in `express`; `outboxBytes` = size of `outbox`.
     */
    position: `${base}:position`,
    /** Sorted sets: the queues of stopped subscriptions and the others, both by the size of their items. */
    stopped: `${base}:stopped`,
    others: `${base}:others`,
    /** Set: the queues that have been used and not yet forgotten. */
    known: `${base}:known`,
    /** List: records for the delivery log, oldest first. */
    outbox: `${base}:outbox`,
    /** Set: the queues with deliveries in `express`. */
    asked: `${base}:asked`,
    /**
     * The keys of one queue. QueueId gives its name, so a deleted subscription and another one with its id share no
     * key. Scripts build the keys in the same way.
     */
    of: (queueId: string) => ({
      /** Sorted set: ids of deliveries in their order, which is about the microsecond of the signal. */
      queue: `${base}:queue:${queueId}`,
      /** Hash: id -> the signal as JSON (WaitingSignal), or the ids of a batch: `{"batch":[...]}`. */
      items: `${base}:items:${queueId}`,
      /** Hash: id -> number of earlier updates that it replaced. */
      merged: `${base}:merged:${queueId}`,
      /** Hash: id of a track or zone -> its waiting update, with which the next one may be merged. */
      latest: `${base}:latest:${queueId}`,
      /** Hash: partition of a log -> offset and index of the newest cause taken in. */
      causes: `${base}:causes:${queueId}`,
      /** List: ids of the signals in the running batch. */
      open: `${base}:open:${queueId}`,
      /** Hash: id -> a delivery that a caller requested, as JSON. */
      express: `${base}:express:${queueId}`,
      /**
       * Hash. `version` of the subscription; `bytes` = size of all items; `stopped` = 1 while the subscription is
       * stopped; `taken` = the delivery that is being tried; `attempts` of it; `sent` = the same while its request is
       * under way; `triedAt` and `nextAt` (ms) of the last attempt and the next one; `failures` in a row; `slow` = 1
       * after a slow attempt; `openedAt` (ms) and `openBytes` of the running batch.
       */
      state: `${base}:state:${queueId}`,
      /**
       * Text, written by the REST interface: the subscription is deleted, and no delivery of the queue begins any more.
       * The key expires after every process has long read the deletion in the log.
       */
      deleted: `${base}:deleted:${queueId}`,
    }),
  };
}

/** Pub/sub channel. A message is "partition/queue", sent when a caller has requested a delivery. */
export const askedChannel = (namespace: string): string => `${prefix(namespace)}wh:asked`;

/** Detections of tracks that callers asked for, kept by the REST interface. `scope` names who may read them. */
export function keptTracksKeys(namespace: string) {
  const base = `${prefix(namespace)}state-api:{tracks}`;
  return {
    track: (scope: string, trackId: string): string => `${base}:of:${scope}:${trackId}`,
    /** Sorted set of those keys by the time (Redis' clock, ms) at which they were written. */
    index: `${base}:index`,
  };
}

/**
 * Replay sessions, in database 4: the REST interface creates them, replays run them. They share one slot, because
 * scripts touch several.
 */
export function replayKeys(namespace: string) {
  const base = `${prefix(namespace)}replay:{sessions}`;
  return {
    /** Hash: id of each session that has not ended -> id of the token that created it. */
    open: base,
    /** Prefix of a session's key, which ends with its id. Hash: projections/replay/session.ts. */
    session: `${base}:`,
    /**
     * Sorted set: ids of the token's ended sessions by the time of their end (Redis' clock, ms). The dot keeps it apart
     * from the keys of sessions.
     */
    ended: (tokenId: string): string => `${base}.ended:${tokenId}`,
    /** Prefix of a stream's key, which ends with the version of a session: its newest signals, with their numbers. */
    signals: `${base}.signals:`,
    /**
     * Prefix of a sorted set's key, which ends with the id of a token: versions of its sessions that have such a
     * stream, by the time of their creation. A session that is gone leaves its version there.
     */
    shown: `${base}.shown:`,
    /** Pub/sub channel. A message is the id of a session that was created, steered or deleted. */
    changed: `${base}:changed`,
  };
}

const partitionBase = (namespace: string, partition: number): string => `${prefix(namespace)}sm:{p${partition}}`;

const prefix = (namespace: string): string => (namespace === "" ? "" : `${namespace}:`);

/** JSON: the last known state of an activity chronicle, from which its next signals derive. */
export const chronicleMemoryKey = (namespace: string, chronicleId: string): string =>
  `${prefix(namespace)}wh:chronicle:${chronicleId}`;
