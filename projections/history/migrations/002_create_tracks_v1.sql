CREATE TABLE IF NOT EXISTS tracks_v1
(
    data_source_id     LowCardinality(String),
    track_id           String,
    -- What a header event set, with the rank of that event: the highest wins, 0 = not set.
    -- An update ranks by its offset and above every creation; of repeated creations the first ranks highest.
    header_tag         SimpleAggregateFunction(max, Tuple(rank UInt64, value String)),
    header_start       SimpleAggregateFunction(max, Tuple(rank UInt64, value DateTime64(3, 'UTC'))),
    explicit_end       SimpleAggregateFunction(max, Tuple(rank UInt64, is_set Bool, value DateTime64(3, 'UTC'))),
    expired_end        SimpleAggregateFunction(max, Tuple(rank UInt64, value DateTime64(3, 'UTC'))),
    header_model_id    SimpleAggregateFunction(max, Tuple(rank UInt64, value Nullable(String))),
    header_properties  SimpleAggregateFunction(max, Tuple(rank UInt64, value Nullable(String))),
    header_metadata    SimpleAggregateFunction(max, Tuple(rank UInt64, value Nullable(String))),
    first_detection_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    last_detection_at  SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC'))),
    created_at         SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    updated_at         SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    partition          SimpleAggregateFunction(max, UInt16),
    last_offset        SimpleAggregateFunction(max, UInt64),

    INDEX track_id_bloom track_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = AggregatingMergeTree
-- The key of the fold, and no more: a start time may change, so it cannot lead. Serves the tracks of a camera and,
-- through the bloom filter, the look-up by id; a time range reads its columns of all tracks.
ORDER BY (data_source_id, track_id)
SETTINGS non_replicated_deduplication_window = 1000
