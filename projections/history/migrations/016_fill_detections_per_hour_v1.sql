-- Fills the table from the detections that exist already. Repeating it changes nothing.
INSERT INTO detections_per_hour_v1 (data_source_id, hour, track_id, seen_ms)
SELECT data_source_id, toInt32(floor(toUnixTimestamp64Milli(timestamp) / 3600000)) AS hour, track_id,
    groupUniqArray(toUInt32(toUnixTimestamp64Milli(timestamp) - toInt64(hour) * 3600000))
FROM detections_v1
GROUP BY data_source_id, hour, track_id
SETTINGS max_partitions_per_insert_block = 1000, max_bytes_before_external_group_by = 500000000
