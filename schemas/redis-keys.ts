// Redis keys that more than one process uses. Keys that are written together have the same text in braces, so a cluster
// keeps them in one slot.

export type PartitionKeys = Readonly<Record<"position" | "tracks" | "sources" | "zones" | "past", string>>;

/** Live state of one camera-log partition. Only the state machine writes it, in one atomic step with `position`. */
export function partitionKeys(namespace: string, partition: number): PartitionKeys {
  const base = partitionBase(namespace, partition);
  return {
    /**
     * Hash: `next` = camera-log offset to apply next, `intersections` = end of the partition's zone
     * intersections at that time (schemas/outputs.ts has the fields of all topics of outputs),
     * `geofences` = offset of the catalog up to which the geofences are known,
     * `logId` = id of the camera-log that `next` belongs to, `settings` = what the state was folded with. `owner`,
     * `released`, `savedAt` (Redis' clock, s), `saves` = who wrote it and how often; `held` = `saves` and how many entries
     * each of the other hashes then held. `missedFrom`, `missedTo`
     * (exclusive) = what retention took last before it was processed. `lostLogEnd`, `lostOutputsEnd` = ends of the
     * camera-log and of the outputs when that log was found to have lost its end.
     */
    position: `${base}:position`,
    /** Hash: trackId -> state as JSON. Of several data sources' tracks with one id the others have a `twinField`. */
    tracks: `${base}:tracks`,
    /** Hash: dataSourceId -> clock and held detections as JSON. */
    sources: `${base}:sources`,
    /** Hash: zoneId -> zone as JSON. */
    zones: `${base}:zones`,
    /** Hash: kind, place and `twinField` of the track -> a stay that is over, or an entered zone, as JSON (projections/live/past.ts). */
    past: `${base}:past`,
  };
}

/** Where a track is kept while another data source's track with its id was seen later. No id of a track contains NUL. */
export const twinField = (dataSourceId: string, trackId: string): string => `${dataSourceId}\u0000${trackId}`;

/** The same hashes while an owner writes them, before it renames them to the live ones; each attempt has its own. */
export function stagedKeys(namespace: string, partition: number, attempt: string) {
  const base = `${partitionBase(namespace, partition)}:staged:${attempt}`;
  return { tracks: `${base}:tracks`, sources: `${base}:sources`, zones: `${base}:zones`, past: `${base}:past` };
}

/** Hash: field of the track's header -> version and JSON, shared by the instances of the API. */
export const trackHeaderKey = (namespace: string, trackId: string): string =>
  `${prefix(namespace)}api:track-header:${trackId}`;

/** Held by the instance of state-api that changes the subscription. */
export const subscriptionLeaseKey = (namespace: string, id: string): string =>
  `${prefix(namespace)}state-api:subscription-lease:${id}`;

/** States of events, in database 1. One slot, because a state changes together with the sets that lead to it. */
export function eventStateKeys(namespace: string) {
  const base = `${prefix(namespace)}state-api:{events}`;
  return {
    /** Text: id of the Redis process and of the log whose states are all here. */
    marker: `${base}:complete`,
    /** Sorted set: key of each event -> time at which it must be looked at. */
    due: `${base}:due`,
    /** Sorted set: key of each live event of a track -> time at which the track must be looked at. */
    tracks: `${base}:tracks`,
    /**
     * Hash: `state` = the event as JSON, or nothing when it is to be forgotten, and its `version`. `token` = name of
     * the change that made it. `by` = id of the token whose caller began it. `logged` = offset at which it is in the log, -1 = it may not be there. `stale` = largest
     * offset at which another state of the event was written.
     */
    event: (key: string) => `${base}:event:${key}`,
    /** Set: the workflows with an event under the scope. */
    scope: (scopeId: string) => `${base}:scope:${scopeId}`,
    /** Hash: id of a token -> how many events began with it. Those that were restored from the log count for none. */
    tokens: `${base}:tokens`,
  };
}

export type EventStateKeys = ReturnType<typeof eventStateKeys>;

/** What waits for its delivery, of one partition of the signals; in database 1. Only its owner at webhooks writes it. */
export function deliveryKeys(namespace: string, partition: number) {
  const base = `${prefix(namespace)}wh:{p${partition}}`;
  return {
    base,
    /**
     * Hash: `owner`; `next` = offset of the signals to take in next, `logId` = the id of that log, `bytes` = size of all
     * items of all queues, `askedBytes` = of all in `express`, `outboxBytes` = of `outbox`.
     */
    position: `${base}:position`,
    /** Sorted sets: the queues by the size of their items, those of stopped subscriptions and the others. */
    stopped: `${base}:stopped`,
    others: `${base}:others`,
    /** Set: the queues that have been used and not been forgotten. */
    known: `${base}:known`,
    /** List: what the delivery log is to be told, oldest first. */
    outbox: `${base}:outbox`,
    /** Set: the queues with deliveries in `express`. */
    asked: `${base}:asked`,
    /**
     * The keys of one queue, which has the name that QueueId says: a deleted subscription and another one with its id
     * share none. Scripts build them in the same way.
     */
    of: (queueId: string) => ({
      /** Sorted set: ids of deliveries by their order, which is about the microsecond of the signal. */
      queue: `${base}:queue:${queueId}`,
      /** Hash: id -> the signal as JSON (WaitingSignal), or the ids of a batch: `{"batch":[...]}`. */
      items: `${base}:items:${queueId}`,
      /** Hash: id -> how many earlier updates it took the place of. */
      merged: `${base}:merged:${queueId}`,
      /** Hash: id of a track or zone -> its waiting update, with which the next may be merged. */
      latest: `${base}:latest:${queueId}`,
      /** Hash: partition of a log -> offset and index of the newest cause that was taken in. */
      causes: `${base}:causes:${queueId}`,
      /** List: ids of the signals in the running batch. */
      open: `${base}:open:${queueId}`,
      /** Hash: id -> a delivery that somebody asked for, as JSON. */
      express: `${base}:express:${queueId}`,
      /**
       * Hash: `version` of the subscription, `bytes` = size of all items, `stopped` = 1 while the
       * subscription is, `taken` = the delivery that is being tried, its `attempts`, `sent` = the same while its request is
       * under way, `triedAt` and `nextAt` (ms) of the last attempt and the next one, `failures` in a row, `slow` = 1 after a
       * slow attempt, `openedAt` (ms) and `openBytes` of the running batch.
       */
      state: `${base}:state:${queueId}`,
      /**
       * Text, written by the REST interface: the subscription is deleted, and nothing of the queue begins any more. It ends by
       * itself, when every process has long read of the deletion.
       */
      deleted: `${base}:deleted:${queueId}`,
    }),
  };
}

/** Pub/sub channel: "partition/queue" when somebody has asked for a delivery. */
export const askedChannel = (namespace: string): string => `${prefix(namespace)}wh:asked`;

/** Detections of tracks that were asked for, kept by the REST interface. `scope`: who may read them. */
export function keptTracksKeys(namespace: string) {
  const base = `${prefix(namespace)}state-api:{tracks}`;
  return {
    track: (scope: string, trackId: string): string => `${base}:of:${scope}:${trackId}`,
    /** Sorted set of those keys by the time (Redis' clock, ms) at which they were written. */
    index: `${base}:index`,
  };
}

/** Of database 4: the REST interface makes sessions, replays run them. All in one slot, because scripts touch several. */
export function replayKeys(namespace: string) {
  const base = `${prefix(namespace)}replay:{sessions}`;
  return {
    /** Hash: id of each session that has not ended -> id of the token that made it. */
    open: base,
    /** Before the id of a session. Hash: projections/replay/session.ts. */
    session: `${base}:`,
    /** Sorted set: ids of the token's ended sessions by the time of their end (Redis' clock, ms). Is no session's key. */
    ended: (tokenId: string): string => `${base}.ended:${tokenId}`,
    /** Channel: the id of a session that was made, stepped or deleted. */
    changed: `${base}:changed`,
  };
}

const partitionBase = (namespace: string, partition: number): string => `${prefix(namespace)}sm:{p${partition}}`;

const prefix = (namespace: string): string => (namespace === "" ? "" : `${namespace}:`);

/** JSON: what was last seen of an activity chronicle, for its signals. */
export const chronicleMemoryKey = (namespace: string, chronicleId: string): string =>
  `${prefix(namespace)}wh:chronicle:${chronicleId}`;
