-- Videos as they are now: one row each, whether or not ClickHouse has merged its parts.
CREATE VIEW IF NOT EXISTS videos_current_v1 AS
SELECT
    data_source_id,
    video_id,
    created.2 AS created_at,
    set_start_time.2 AS start_time,
    set_end_time.2 AS end_time,
    set_path.2 AS path,
    set_thumbnail_path.2 AS thumbnail_path,
    set_display_name.2 AS display_name,
    set_frame_rate.2 AS frame_rate,
    set_resolution_height.2 AS resolution_height,
    set_resolution_width.2 AS resolution_width
FROM videos_v1 FINAL
WHERE created.1 > 0
