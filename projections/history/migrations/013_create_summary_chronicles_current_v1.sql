-- Summary chronicles as they are now: one row each, whether or not ClickHouse has merged its parts.
CREATE VIEW IF NOT EXISTS summary_chronicles_current_v1 AS
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
    set_activity_chronicle_ids.3 AS activity_chronicle_ids,
    set_activity_chronicle_ids.2 AS activity_chronicle_ids_given,
    set_event_chronicle_ids.3 AS event_chronicle_ids,
    set_event_chronicle_ids.2 AS event_chronicle_ids_given
FROM summary_chronicles_v1 FINAL
WHERE created.1 > 0 AND deleted = 0
