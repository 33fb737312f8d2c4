-- Part: ends the script when the stored position is later than the one that the owner left there, so an older owner
-- cannot overwrite a newer one.
-- requires: held.lua
-- arguments: expected next owner

local storedText = redis.call('HGET', position, 'next')
local stored = tonumber(storedText or '-1')
if stored > tonumber(expected) then
  -- This save was applied before, and its answer was lost.
  if next == storedText and redis.call('HGET', position, 'owner') == owner then return 'saved' end
  return 'overtaken'
end
-- Stores the position with these fields and values, which are a range of ARGV.
local function savePosition(first, last)
  local savedAt = redis.call('TIME')[1]
  redis.call('HSET', position, 'next', next, 'owner', owner, 'savedAt', savedAt, unpack(ARGV, first, last))
  redis.call('HSET', position, 'held', held(redis.call('HINCRBY', position, 'saves', 1)))
  return 'saved'
end
