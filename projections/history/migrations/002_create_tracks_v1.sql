CREATE TABLE IF NOT EXISTS tracks_v1
(
    data_source_id     LowCardinality(String),
    track_id           String,
    -- The values that header events set, each after the rank of its event: the highest rank wins, 0 means not set.
    -- An update ranks by its offset and above every creation; of repeated creations the first ranks highest.
    -- The elements have no names on purpose: FINAL does not merge a named element that is read alone.
    header_tag         SimpleAggregateFunction(max, Tuple(UInt64, String)),
    header_start       SimpleAggregateFunction(max, Tuple(UInt64, DateTime64(3, 'UTC'))),
    -- (rank, whether there is an end (an update may have cleared it), the end)
    explicit_end       SimpleAggregateFunction(max, Tuple(UInt64, Bool, DateTime64(3, 'UTC'))),
    expired_end        SimpleAggregateFunction(max, Tuple(UInt64, DateTime64(3, 'UTC'))),
    header_model_id    SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    header_properties  SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    header_metadata    SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    first_detection_at SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    last_detection_at  SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC'))),
    created_at         SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    updated_at         SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    partition          SimpleAggregateFunction(max, UInt16),
    last_offset        SimpleAggregateFunction(max, UInt64),

    -- A page looks up more than a hundred keys at once: with one false answer in 100, most granules would pass.
    INDEX track_id_bloom track_id TYPE bloom_filter(0.0001) GRANULARITY 1,
    -- Finds the tracks of a time range by the start that each row contains. The row that decides the start of
    -- its track is among them, whether or not the rows of the track are merged.
    PROJECTION by_start
    (
        SELECT data_source_id, track_id, if(header_start.1 > 0, header_start.2, ifNull(first_detection_at, created_at)) AS own_start
        ORDER BY own_start
    ),
    -- The same by the ends that each row contains. A row without such an end has the time 0.
    PROJECTION by_explicit_end (SELECT data_source_id, track_id, explicit_end.3 AS own_end ORDER BY own_end),
    PROJECTION by_expired_end (SELECT data_source_id, track_id, expired_end.2 AS own_end ORDER BY own_end)
)
ENGINE = AggregatingMergeTree
-- The key of the fold, and no more: a start time may change, so it can be part of neither the key nor the partition.
-- Serves the look-up by id through the bloom filter.
ORDER BY (data_source_id, track_id)
-- All columns of a few tracks are read. In a wide part each column is a file with blocks of 64 KiB: the larger the part, the more
-- is decompressed for one track. A compact part keeps the columns of a granule together, whatever the part's size.
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 128, min_bytes_for_wide_part = 1000000000000,
    deduplicate_merge_projection_mode = 'rebuild', lightweight_mutation_projection_mode = 'rebuild'
