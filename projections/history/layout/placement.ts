// The shard of a cluster on which each row of the history lies. Rows that replace each other must lie on one shard,
// because a shard merges only its own rows. So each expression is a function of the table's key. Rows that one query
// compares by their keys must lie together as well: shards answer the subqueries of `IN` from their own rows
// (distributed_product_mode in clickhouse-cluster.ts).

/**
 * A track with its detections and intersections, and everything else that belongs to a data source, is on one shard.
 */
const BY_DATA_SOURCE = "cityHash64(data_source_id)";
/**
 * Filters compare chronicles of different kinds by their ids, and chronicles are few: all of them are on the first
 * shard.
 */
const FIRST_SHARD = "0";

const shards: Readonly<Record<string, string>> = {
  detections_v1: BY_DATA_SOURCE,
  detections_per_hour_v1: BY_DATA_SOURCE,
  tracks_v1: BY_DATA_SOURCE,
  tracks_unsettled_v3: BY_DATA_SOURCE,
  tracks_to_delete_v1: BY_DATA_SOURCE,
  // An intersection is one of a track. (Its id does not contain the data source: two data sources that share a zone
  // one after the other, and have a track of the same id at the same millisecond, have one intersection on one server
  // and two on a cluster.)
  zone_intersections_v1: BY_DATA_SOURCE,
  geofence_intersections_v1: BY_DATA_SOURCE,
  videos_v1: BY_DATA_SOURCE,
  // An image may have no data source.
  images_v1: "cityHash64(ifNull(data_source_id, ''))",
  measurements_v1: "cityHash64(sensor_id)",
  webhook_deliveries_v1: "cityHash64(subscription_id)",
  activity_chronicles_v1: FIRST_SHARD,
  event_chronicles_v1: FIRST_SHARD,
  summary_chronicles_v1: FIRST_SHARD,
  // Positions of one topic are read together, and compared with nothing.
  projector_positions_v1: "cityHash64(topic)",
  migrations_v1: "cityHash64(name)",
};

/** The views, which lie where their tables do. No row is inserted into them. */
const VIEWS: readonly string[] = [
  "tracks_current_v1",
  "activity_chronicles_current_v1",
  "event_chronicles_current_v1",
  "summary_chronicles_current_v1",
  "videos_current_v1",
];

/** Throws when the table has no place: a new table needs one before it can be created on a cluster. */
export function shardOf(table: string): string {
  const shard = shards[table];
  if (shard === undefined) throw new Error(`${table} has no place on a cluster (projections/history/layout)`);
  return shard;
}

export const placedTables: readonly string[] = Object.keys(shards);

export const localName = (table: string): string => `${table}_local`;

const NAMES = new RegExp(`\\b(?:${[...placedTables, ...VIEWS].join("|")})\\b`, "g");

/**
 * Replaces the names of all tables and views by those on a shard. Statements contain them as names only, because
 * values are bound.
 */
export const withLocalNames = (statement: string): string => statement.replace(NAMES, localName);
