CREATE TABLE IF NOT EXISTS event_chronicles_v1
(
    chronicle_id               String,
    created                    SimpleAggregateFunction(max, Tuple(UInt64, DateTime64(3, 'UTC'))),
    deleted                    SimpleAggregateFunction(max, UInt8),
    updated                    SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    last_offset                SimpleAggregateFunction(max, UInt64),
    set_name                   SimpleAggregateFunction(max, Tuple(UInt64, String)),
    set_chronicle_producer_id  SimpleAggregateFunction(max, Tuple(UInt64, String)),
    set_description            SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_timezone               SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_metadata               SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_validation             SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String), Nullable(String), Nullable(String))),
    set_priority               SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_status                 SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_labels                 SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),
    set_locations              SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),
    set_timestamp              SimpleAggregateFunction(max, Tuple(UInt64, DateTime64(3, 'UTC'))),
    set_activity_chronicle_ids SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),

    -- Finds the chronicles of a time by the time that each row sets. A row that sets none has rank 0.
    PROJECTION by_start
    (
        SELECT chronicle_id, set_timestamp.2 AS own_start, set_timestamp.1 AS start_rank
        ORDER BY own_start
    )
)
ENGINE = AggregatingMergeTree
-- The key of the fold, and no more: everything else may change. A chronicle is looked up by its id.
ORDER BY chronicle_id
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 128,
    deduplicate_merge_projection_mode = 'rebuild', lightweight_mutation_projection_mode = 'rebuild'
