-- Writes the changes of a round, and the position that follows it.
-- requires: fence.lua
-- arguments: fieldCount lists...
--
-- lists: fieldCount fields and values of the position; then for each kind the length of a list and the list, once of
-- fields and values, once of deletions.

if stored < tonumber(expected) or lacks() then return 'lost' end
local at = listsFrom + tonumber(fieldCount)
for _, hash in ipairs({tracks, sources, zones, past}) do
  for _, command in ipairs({'HSET', 'HDEL'}) do
    local count = tonumber(ARGV[at])
    at = at + 1
    for first = at, at + count - 1, 1000 do
      redis.call(command, hash, unpack(ARGV, first, math.min(first + 999, at + count - 1)))
    end
    at = at + count
  end
end
return savePosition(listsFrom, listsFrom + tonumber(fieldCount) - 1)
