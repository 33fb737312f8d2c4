-- The keys of all tracks that are not settled: open, or long, or changed lately. A track is settled when it is known to
-- have ended soon after its start (queries/settle.ts). So the tracks that touch a range are those that start in it or
-- shortly before, and those in this table: no query over ends reads the whole history.
CREATE TABLE IF NOT EXISTS tracks_unsettled_v3
(
    data_source_id LowCardinality(String),
    track_id       String,
    -- A question about a range leaves out what starts after it or ends before it. Only settle.ts says the two: a change of a
    -- track need not know them, and so is found whatever the range. A track without an end has the last instant.
    own_start      SimpleAggregateFunction(min, DateTime64(3, 'UTC')) DEFAULT toDateTime64('1900-01-01 00:00:00.000', 3, 'UTC'),
    own_end        DateTime64(3, 'UTC') DEFAULT toDateTime64('2299-12-31 23:59:59.999', 3, 'UTC'),
    touched_at     SimpleAggregateFunction(max, DateTime('UTC')) DEFAULT now()
)
ENGINE = AggregatingMergeTree
-- Every change of a track adds its key. settle.ts looks through the tracks of partitions that are no longer written to,
-- adds the keys of those that are still not settled once more, and drops the partitions. Those that have ended are in a
-- partition of their own, which is not looked through: they stay as they are until they change.
PARTITION BY toStartOfInterval(touched_at, INTERVAL 10 MINUTE)
-- Long tracks of the past are many: a question reads those that end after its range begins.
ORDER BY (own_end, data_source_id, track_id)
SETTINGS non_replicated_deduplication_window = 1000
