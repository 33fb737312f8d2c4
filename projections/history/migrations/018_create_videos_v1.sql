CREATE TABLE IF NOT EXISTS videos_v1
(
    data_source_id        LowCardinality(String),
    video_id              String,
    -- (rank, when) of the first creation. Ranks are those of tracks_v1.
    created               SimpleAggregateFunction(max, Tuple(UInt64, DateTime64(3, 'UTC'))),
    -- The values that events set, each after the rank of its event: the highest rank wins, 0 means not set.
    -- The elements have no names, as in tracks_v1.
    set_start_time        SimpleAggregateFunction(max, Tuple(UInt64, DateTime64(3, 'UTC'))),
    set_end_time          SimpleAggregateFunction(max, Tuple(UInt64, Nullable(DateTime64(3, 'UTC')))),
    set_path              SimpleAggregateFunction(max, Tuple(UInt64, String)),
    set_thumbnail_path    SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_display_name      SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_frame_rate        SimpleAggregateFunction(max, Tuple(UInt64, Nullable(Float64))),
    set_resolution_height SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_resolution_width  SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),

    INDEX video_id_bloom video_id TYPE bloom_filter(0.01) GRANULARITY 1,
    -- Finds the videos of a time by the start that each row sets. Rows that set none come first.
    PROJECTION by_start
    (
        SELECT data_source_id, video_id, if(set_start_time.1 > 0, set_start_time.2, toDateTime64('1900-01-01 00:00:00', 3, 'UTC')) AS own_start
        ORDER BY own_start
    )
)
ENGINE = AggregatingMergeTree
-- The key of the fold, and no more: a start may change. The videos of a data source (which one covers an instant?) are one
-- stretch of the table; a video is looked up by its id through the bloom filter.
ORDER BY (data_source_id, video_id)
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 128,
    deduplicate_merge_projection_mode = 'rebuild', lightweight_mutation_projection_mode = 'rebuild'
