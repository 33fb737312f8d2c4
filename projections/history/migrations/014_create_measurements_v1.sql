CREATE TABLE IF NOT EXISTS measurements_v1
(
    sensor_id      LowCardinality(String),
    timestamp      DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD),
    -- Made of the other members, so that a repeated measurement is the same one.
    measurement_id String,
    value          String CODEC(ZSTD),
    recorded_at    DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD),
    partition      UInt16,
    offset         UInt64 CODEC(DoubleDelta, ZSTD),
    -- Of repeated measurements the first in the log counts.
    version        UInt64 MATERIALIZED 18446744073709551615 - offset,

    -- A page by time over all sensors skips the granules that cannot hold its times.
    INDEX timestamp_minmax timestamp TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
-- By month, as detections_v1.
PARTITION BY multiIf(timestamp < toDateTime64('2020-01-01 00:00:00', 3, 'UTC'), 0,
    timestamp >= toDateTime64('2100-01-01 00:00:00', 3, 'UTC'), 999999, toYYYYMM(timestamp))
-- A sensor's time window (charts, pages by time) is one continuous range of the table.
ORDER BY (sensor_id, timestamp, measurement_id)
SETTINGS non_replicated_deduplication_window = 1000
