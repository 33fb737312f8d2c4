-- The tracks whose deletion has begun, by run. ClickHouse deletes part by part, and what is left of a half deleted track does
-- not say that it is old. With its key in this table a repetition completes the deletion (queries/delete-tracks.ts).
CREATE TABLE IF NOT EXISTS tracks_to_delete_v1
(
    run            String,
    data_source_id LowCardinality(String),
    track_id       String,
    -- Of the whole track, as it was when it was listed.
    updated_at     DateTime64(3, 'UTC')
)
ENGINE = MergeTree
-- A run is dropped at once when its tracks are gone.
PARTITION BY run
ORDER BY (data_source_id, track_id)
