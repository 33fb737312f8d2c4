CREATE TABLE IF NOT EXISTS geofence_intersections_v1
(
    intersection_id String,
    geofence_id     String,
    track_id        String,
    data_source_id  LowCardinality(String),
    tag             LowCardinality(String),
    start_time      DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD),
    end_time        Nullable(DateTime64(3, 'UTC')),
    last_inside     DateTime64(3, 'UTC'),
    -- The camera-log message that caused this state of the intersection.
    cause_partition UInt16,
    cause_offset    UInt64 CODEC(DoubleDelta, ZSTD),
    cause_item      UInt32,
    recorded_at     DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD),
    -- The later cause wins, whatever its state: an end is taken back when a stalled sender goes on.
    version         UInt64 MATERIALIZED bitShiftLeft(cause_offset, 24) + cause_item,

    -- A page looks up more than a hundred tracks at once: with one false answer in 100, most granules would pass.
    INDEX track_id_bloom track_id TYPE bloom_filter(0.0001) GRANULARITY 1,
    -- The same in the order of time, for pages over all geofences: what is read goes with the page.
    PROJECTION by_start (SELECT * ORDER BY start_time)
)
ENGINE = ReplacingMergeTree(version)
-- By month of the start, as detections_v1.
PARTITION BY multiIf(start_time < toDateTime64('2020-01-01 00:00:00', 3, 'UTC'), 0,
    start_time >= toDateTime64('2100-01-01 00:00:00', 3, 'UTC'), 999999, toYYYYMM(start_time))
-- The intersections of a geofence are one continuous range of the table. Those of a track are found by the bloom filter.
-- start_time never changes for an id (the id is made of it), so it may be part of the key.
ORDER BY (geofence_id, start_time, intersection_id)
SETTINGS non_replicated_deduplication_window = 1000, deduplicate_merge_projection_mode = 'rebuild'
