-- Finds the videos that last until an instant, by the end in each row, 0 for none. Only summaries use it.
-- By ifNull(...) or multiIf(...) the store would not skip rows.
ALTER TABLE videos_v1 ADD PROJECTION IF NOT EXISTS by_end
(
    SELECT data_source_id, video_id,
        (set_end_time.2 IS NOT NULL) * toUnixTimestamp64Milli(assumeNotNull(set_end_time.2)) AS own_end
    ORDER BY own_end
)
