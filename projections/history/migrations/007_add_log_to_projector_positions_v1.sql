-- A position counts in one log only: log_id is Kafka's id of the topic ('' in rows from before this column).
-- rank_base is added to the log's offsets wherever the history ranks by them, so that what a later log says outweighs what
-- the log before it said. The row with the greatest base counts; a row of an earlier log is kept and ignored.
ALTER TABLE projector_positions_v1
    ADD COLUMN IF NOT EXISTS log_id String,
    ADD COLUMN IF NOT EXISTS rank_base UInt64,
    MODIFY ORDER BY (topic, partition, rank_base)
