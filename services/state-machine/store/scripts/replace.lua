-- Replaces the state by the staged one, together with the position. Staged texts may be gone or incomplete, because
-- Redis was flushed meanwhile: then they must not replace anything.
-- requires: fence.lua
-- keys: stagedTracks stagedSources stagedZones stagedPast
-- arguments: tracksCount sourcesCount zonesCount pastCount fields...
--
-- The counts are those of the texts that each staged hash must hold; fields and values belong to the position.

local kinds = {
  {tracks, stagedTracks, tonumber(tracksCount)},
  {sources, stagedSources, tonumber(sourcesCount)},
  {zones, stagedZones, tonumber(zonesCount)},
  {past, stagedPast, tonumber(pastCount)},
}
for _, kind in ipairs(kinds) do
  if redis.call('HLEN', kind[2]) ~= kind[3] then return 'lost' end
end
for _, kind in ipairs(kinds) do
  local live, staged, count = unpack(kind)
  redis.call('UNLINK', live)
  if count > 0 then
    redis.call('RENAME', staged, live)
    redis.call('PERSIST', live)
  end
end
return savePosition(fieldsFrom, #ARGV)
