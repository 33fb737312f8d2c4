-- Tracks as they are now: one row per track, whether or not ClickHouse has merged its parts.
CREATE VIEW IF NOT EXISTS tracks_current_v1 AS
SELECT
    data_source_id,
    track_id,
    header_tag.2 AS tag,
    -- created_at only for what has neither header nor detection: an end or an update that came alone.
    if(header_start.1 > 0, header_start.2, ifNull(first_detection_at, created_at)) AS start_time,
    -- The newest end. An expiry counts unless a newer detection refutes it.
    multiIf(
        expired_end.1 > explicit_end.1 AND ifNull(last_detection_at <= expired_end.2, 1),
        CAST(expired_end.2, 'Nullable(DateTime64(3, \'UTC\'))'),
        explicit_end.2,
        CAST(explicit_end.3, 'Nullable(DateTime64(3, \'UTC\'))'),
        NULL
    ) AS end_time,
    header_model_id.2 AS model_id,
    header_properties.2 AS properties,
    header_metadata.2 AS metadata,
    first_detection_at,
    last_detection_at,
    created_at,
    updated_at,
    partition,
    last_offset
FROM tracks_v1 FINAL
