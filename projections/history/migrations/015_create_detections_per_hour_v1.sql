-- When each track was seen, by hour: what summaries of detections count, in a small part of the time that reading the
-- detections takes. A detection that comes twice is one entry, in whatever pieces the log is written.
CREATE TABLE IF NOT EXISTS detections_per_hour_v1
(
    data_source_id LowCardinality(String),
    -- Since 1970, in UTC; before 1970 it is negative.
    hour           Int32,
    track_id       String,
    -- Milliseconds within the hour.
    seen_ms        SimpleAggregateFunction(groupUniqArrayArray, Array(UInt32)) CODEC(ZSTD)
)
ENGINE = AggregatingMergeTree
-- By month, as detections_v1; the numbers are the hours in which 2020 and 2100 begin.
PARTITION BY multiIf(hour < 438288, 0, hour >= 1139568, 999999, toYYYYMM(toDateTime(hour * 3600, 'UTC')))
-- A camera's time window is one continuous range of the table. The tag of a track may change, so it is no part of this table.
ORDER BY (data_source_id, hour, track_id)
SETTINGS non_replicated_deduplication_window = 1000
