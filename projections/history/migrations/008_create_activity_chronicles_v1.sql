CREATE TABLE IF NOT EXISTS activity_chronicles_v1
(
    chronicle_id              String,
    -- (rank, when) of the first creation. Ranks are those of tracks_v1.
    created                   SimpleAggregateFunction(max, Tuple(UInt64, DateTime64(3, 'UTC'))),
    -- A deletion is final.
    deleted                   SimpleAggregateFunction(max, UInt8),
    updated                   SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    last_offset               SimpleAggregateFunction(max, UInt64),
    -- The values that events set, each after the rank of its event: the highest rank wins, 0 means not set.
    -- The elements have no names, as in tracks_v1.
    set_name                  SimpleAggregateFunction(max, Tuple(UInt64, String)),
    set_chronicle_producer_id SimpleAggregateFunction(max, Tuple(UInt64, String)),
    set_description           SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_timezone              SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_metadata              SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    -- (rank, status, reason, details)
    set_validation            SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String), Nullable(String), Nullable(String))),
    set_priority              SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    set_status                SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String))),
    -- (rank, is there a list, the list)
    set_labels                SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),
    set_locations             SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),
    set_start_time            SimpleAggregateFunction(max, Tuple(UInt64, DateTime64(3, 'UTC'))),
    set_end_time              SimpleAggregateFunction(max, Tuple(UInt64, Nullable(DateTime64(3, 'UTC')))),
    -- (rank, longitude, latitude, altitude, crs)
    set_position              SimpleAggregateFunction(max, Tuple(UInt64, Nullable(Float64), Nullable(Float64), Nullable(Float64), Nullable(String))),
    set_image_ids             SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),
    -- When each was last added: (rank, place in the event). It counts when it ranks above the list. Added again, it takes no
    -- more room.
    added_image_ids           SimpleAggregateFunction(maxMap, Map(String, Tuple(UInt64, UInt32))),
    -- The clips: (data source, from, to), in milliseconds.
    set_clips                 SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(Tuple(String, Int64, Int64)))),
    -- By the clip in JSON: a key of a map is no tuple.
    added_clips               SimpleAggregateFunction(maxMap, Map(String, Tuple(UInt64, UInt32))),
    set_track_ids             SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),
    set_site_ids              SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),
    set_data_source_ids       SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),
    set_tag_ids               SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),
    set_point_of_interest_ids SimpleAggregateFunction(max, Tuple(UInt64, Bool, Array(String))),
    set_draft                 SimpleAggregateFunction(max, Tuple(UInt64, Nullable(Bool))),

    -- Finds the chronicles of a time by the time that each row sets. A row that sets none has rank 0.
    PROJECTION by_start
    (
        SELECT chronicle_id, set_start_time.2 AS own_start, set_start_time.1 AS start_rank
        ORDER BY own_start
    )
)
ENGINE = AggregatingMergeTree
-- The key of the fold, and no more: everything else may change. A chronicle is looked up by its id.
ORDER BY chronicle_id
SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 128,
    deduplicate_merge_projection_mode = 'rebuild', lightweight_mutation_projection_mode = 'rebuild'
