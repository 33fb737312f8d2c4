-- Fills the projection for the videos that exist already. Repeating it changes nothing.
ALTER TABLE videos_v1 MATERIALIZE PROJECTION by_end
