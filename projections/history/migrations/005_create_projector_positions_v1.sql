-- A position counts in one log only: log_id is Kafka's id of the topic ('' if it was unknown).
-- rank_base is added to the log's offsets wherever the history ranks by them, so that a later log outweighs the log
-- before it. The row with the greatest base counts; rows of earlier logs are kept and ignored.
CREATE TABLE IF NOT EXISTS projector_positions_v1
(
    topic       String,
    partition   UInt16,
    next_offset UInt64,
    log_id      String,
    rank_base   UInt64,
    updated_at  DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(next_offset)
-- Read as the maximum per partition: an older owner that writes late cannot set it back.
ORDER BY (topic, partition, rank_base)
