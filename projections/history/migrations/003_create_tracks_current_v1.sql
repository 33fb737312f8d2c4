-- Tracks as they stand: one row per track whether or not ClickHouse has merged its parts.
CREATE VIEW IF NOT EXISTS tracks_current_v1 AS
SELECT
    data_source_id,
    track_id,
    header_tag.value AS tag,
    -- created_at only for what has neither header nor detection: an end or an update that came alone.
    if(header_start.rank > 0, header_start.value, ifNull(first_detection_at, created_at)) AS start_time,
    -- The newest of what was said about the end. An expiry counts unless a newer detection refutes it.
    multiIf(
        expired_end.rank > explicit_end.rank AND ifNull(last_detection_at <= expired_end.value, 1),
        CAST(expired_end.value, 'Nullable(DateTime64(3, \'UTC\'))'),
        explicit_end.is_set,
        CAST(explicit_end.value, 'Nullable(DateTime64(3, \'UTC\'))'),
        NULL
    ) AS end_time,
    header_model_id.value AS model_id,
    header_properties.value AS properties,
    header_metadata.value AS metadata,
    first_detection_at,
    last_detection_at,
    created_at,
    updated_at,
    partition,
    last_offset
FROM tracks_v1 FINAL
