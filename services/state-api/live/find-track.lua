-- Returns the text of each found track with the present texts of its past (projections/live/past.ts): Redis may have
-- lost that hash alone, until the next save writes it again. The text of an earlier version contains its past.
-- keys: partitions...
-- arguments: trackId maxEntries
--
-- partitions: tracks and past of each one. maxEntries: of each kind.

local function pastOf(text, pastKey)
  local past = {}
  local track = string.find(text, '"past":{', 1, true) and cjson.decode(text) or {}
  for kind, count in pairs(track.past or {}) do
    local fields = {}
    for place = 0, math.min(count, tonumber(maxEntries)) - 1 do
      fields[place + 1] = kind .. ' ' .. place .. ' ' .. track.dataSourceId .. '\0' .. track.trackId
    end
    if #fields > 0 then
      for _, entry in ipairs(redis.call('HMGET', pastKey, unpack(fields))) do
        if entry then past[#past + 1] = entry end
      end
    end
  end
  return past
end

local found = {}
for at = partitionsFrom, #KEYS, 2 do
  local text = redis.call('HGET', KEYS[at], trackId)
  if text then found[#found + 1] = {text, pastOf(text, KEYS[at + 1])} end
end
return found
