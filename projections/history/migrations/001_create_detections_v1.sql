CREATE TABLE IF NOT EXISTS detections_v1
(
    data_source_id LowCardinality(String),
    track_id       String,
    timestamp      DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD),
    -- Flat rings (x0,y0,x1,y1,...), pixels; no ring: no polygon.
    rings          Array(Array(Float64)) CODEC(ZSTD),
    polygon_crs    Nullable(String),
    longitude      Nullable(Float64),
    latitude       Nullable(Float64),
    altitude       Nullable(Float64),
    position_crs   Nullable(String),
    direction      Nullable(Float64),
    metadata       Nullable(String) CODEC(ZSTD),
    recorded_at    DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD),
    -- Offset in camera-log, and which of its message's detections it is.
    partition      UInt16,
    offset         UInt64 CODEC(DoubleDelta, ZSTD),
    item           UInt32 CODEC(ZSTD),
    -- Of detections with the same track and timestamp the first in the log counts: it has the highest version.
    version        UInt64 MATERIALIZED 18446744073709551615 - (bitShiftLeft(offset, 24) + item),

    INDEX track_id_bloom track_id TYPE bloom_filter(0.01) GRANULARITY 1,
    -- A page by time over all cameras skips the granules that cannot hold its times.
    INDEX timestamp_minmax timestamp TYPE minmax GRANULARITY 1,
    -- A replay reads a camera's detections in the order of the log, a stretch of offsets at a time, and asks what was
    -- recorded at a time. Both grow about as the timestamp does, so granules of other stretches are skipped.
    INDEX offset_minmax offset TYPE minmax GRANULARITY 1,
    INDEX recorded_at_minmax recorded_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
-- By month, so that old months can be dropped (docs/decisions/0012). The years before 2020 are one partition, and so are
-- those from 2100 on: wild timestamps open no more partitions than there are months between.
-- The timestamp is part of the key: rows that replace each other lie in the same partition.
PARTITION BY multiIf(timestamp < toDateTime64('2020-01-01 00:00:00', 3, 'UTC'), 0,
    timestamp >= toDateTime64('2100-01-01 00:00:00', 3, 'UTC'), 999999, toYYYYMM(timestamp))
-- A camera's time window (live views, charts, pages by time) is one continuous range of the table. The track's detections lie
-- within its camera's window, found by the bloom filter. (data_source_id, track_id, timestamp) would suit the second
-- question alone and spread every time window over the camera's whole history.
ORDER BY (data_source_id, timestamp, track_id)
SETTINGS non_replicated_deduplication_window = 1000
