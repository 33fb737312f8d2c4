-- Part: finds out whether Redis has lost one of the four hashes alone. `held` in the position has the numbers of
-- entries after the last save. It counts only for the `saves` that it begins with, because an earlier version writes no
-- `held`.
-- keys: position tracks sources zones past

-- Returns the number of entries in the four hashes, as text.
local function held(saves)
  local lengths = {saves}
  for _, hash in ipairs({tracks, sources, zones, past}) do lengths[#lengths + 1] = redis.call('HLEN', hash) end
  return table.concat(lengths, '/')
end
local function lacks()
  local known, saves = unpack(redis.call('HMGET', position, 'held', 'saves'))
  return known and saves and string.match(known, '^%d+') == saves and known ~= held(saves)
end
