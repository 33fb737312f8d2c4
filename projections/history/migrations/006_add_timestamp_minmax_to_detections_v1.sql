-- A page by time over all cameras begins with the smallest timestamps: with this the granules that cannot hold them are
-- not read. Older parts get it when they are merged.
ALTER TABLE detections_v1 ADD INDEX IF NOT EXISTS timestamp_minmax timestamp TYPE minmax GRANULARITY 1
