CREATE TABLE IF NOT EXISTS projector_positions_v1
(
    topic       String,
    partition   UInt16,
    next_offset UInt64,
    updated_at  DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(next_offset)
-- Read as the maximum per partition: an older owner that writes late cannot set it back.
ORDER BY (topic, partition)
