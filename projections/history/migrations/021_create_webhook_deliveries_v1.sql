CREATE TABLE IF NOT EXISTS webhook_deliveries_v1
(
    subscription_id LowCardinality(String),
    created_at      DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD),
    delivery_id     String,
    signal          LowCardinality(String),
    signal_ids      Array(String) CODEC(ZSTD),
    status          LowCardinality(String),
    ended_at        DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD),
    attempts        String CODEC(ZSTD),
    body            String CODEC(ZSTD),
    recorded_at     DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD),
    partition       UInt16,
    -- Of a delivery that was repeated the newest record counts.
    offset          UInt64 CODEC(DoubleDelta, ZSTD),

    INDEX delivery_id_bloom delivery_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(offset)
-- By month, as detections_v1.
PARTITION BY multiIf(created_at < toDateTime64('2020-01-01 00:00:00', 3, 'UTC'), 0,
    created_at >= toDateTime64('2100-01-01 00:00:00', 3, 'UTC'), 999999, toYYYYMM(created_at))
-- A subscription's deliveries by time are one continuous range of the table.
ORDER BY (subscription_id, created_at, delivery_id)
SETTINGS non_replicated_deduplication_window = 1000
