-- Activity chronicles as they are now: one row each, whether or not ClickHouse has merged its parts.
CREATE VIEW IF NOT EXISTS activity_chronicles_current_v1 AS
WITH
    -- What was added to a list after it was set; the last addition comes last.
    mapFilter((id, place) -> place.1 > set_image_ids.1, added_image_ids) AS image_places,
    arraySort((id, place) -> place, mapKeys(image_places), mapValues(image_places)) AS later_image_ids,
    mapFilter((clip, place) -> place.1 > set_clips.1, added_clips) AS clip_places,
    arrayMap(clip -> JSONExtract(clip, 'Tuple(String, Int64, Int64)'),
        arraySort((clip, place) -> place, mapKeys(clip_places), mapValues(clip_places))) AS later_clips
SELECT
    chronicle_id,
    created.2 AS created_at,
    -- A repeated creation changes nothing.
    greatest(created.2, updated) AS updated_at,
    last_offset,
    set_name.2 AS name,
    set_chronicle_producer_id.2 AS chronicle_producer_id,
    set_description.2 AS description,
    set_timezone.2 AS timezone,
    set_metadata.2 AS metadata,
    set_validation.2 AS validation_status,
    set_validation.3 AS validation_reason,
    set_validation.4 AS validation_details,
    set_priority.2 AS priority,
    set_status.2 AS status,
    set_labels.3 AS labels,
    set_labels.2 AS labels_given,
    set_locations.3 AS locations,
    set_locations.2 AS locations_given,
    set_start_time.2 AS start_time,
    set_end_time.2 AS end_time,
    set_position.2 AS longitude,
    set_position.3 AS latitude,
    set_position.4 AS altitude,
    set_position.5 AS position_crs,
    arrayDistinct(arrayConcat(arrayFilter(each -> NOT has(later_image_ids, each), set_image_ids.3), later_image_ids)) AS image_ids,
    (set_image_ids.2 OR notEmpty(image_ids)) AS image_ids_given,
    arrayDistinct(arrayConcat(arrayFilter(each -> NOT has(later_clips, each), set_clips.3), later_clips)) AS clips,
    (set_clips.2 OR notEmpty(clips)) AS clips_given,
    set_track_ids.3 AS track_ids,
    set_track_ids.2 AS track_ids_given,
    set_site_ids.3 AS site_ids,
    set_site_ids.2 AS site_ids_given,
    set_data_source_ids.3 AS data_source_ids,
    set_data_source_ids.2 AS data_source_ids_given,
    set_tag_ids.3 AS tag_ids,
    set_tag_ids.2 AS tag_ids_given,
    set_point_of_interest_ids.3 AS point_of_interest_ids,
    set_point_of_interest_ids.2 AS point_of_interest_ids_given,
    set_draft.2 AS draft
FROM activity_chronicles_v1 FINAL
WHERE created.1 > 0 AND deleted = 0
