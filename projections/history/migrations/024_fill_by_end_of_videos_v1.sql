-- Of the videos that are there already. Repeating it changes nothing.
ALTER TABLE videos_v1 MATERIALIZE PROJECTION by_end
