CREATE TABLE IF NOT EXISTS images_v1
(
    image_id       String,
    -- A missing value sorts behind all others: U+10FFFF, and the last instant that the store can hold.
    source_key     String MATERIALIZED ifNull(data_source_id, '\xF4\x8F\xBF\xBF'),
    time_key       DateTime64(3, 'UTC') MATERIALIZED ifNull(timestamp, fromUnixTimestamp64Milli(10413791999999, 'UTC')),
    data_source_id LowCardinality(Nullable(String)),
    timestamp      Nullable(DateTime64(3, 'UTC')),
    path           String CODEC(ZSTD),
    width          UInt32,
    height         UInt32,
    recorded_at    DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD),
    partition      UInt16,
    offset         UInt64 CODEC(DoubleDelta, ZSTD),
    -- Of an image that was stored again the first in the log counts.
    version        UInt64 MATERIALIZED 18446744073709551615 - offset,

    INDEX image_id_bloom image_id TYPE bloom_filter(0.01) GRANULARITY 1,
    -- A page by time over all data sources skips the granules that cannot hold its times.
    INDEX time_minmax time_key TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
-- A data source's images of a time, and the one nearest to an instant, are one continuous range of the table. The id is made of
-- both, so they may be part of the key.
ORDER BY (source_key, time_key, image_id)
SETTINGS non_replicated_deduplication_window = 1000
