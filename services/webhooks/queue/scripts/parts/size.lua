-- Part: the size of a delivery.
-- requires: fence.lua

-- Returns the bytes and the number of signals.
local function sizeOf(queueId, id)
  local item = redis.call('HGET', key('items', queueId), id)
  if not item then return 0, 0 end
  local ids = members(item)
  if not ids then return #item, 1 end
  local size = 0
  for _, each in ipairs(ids) do size = size + redis.call('HSTRLEN', key('items', queueId), each) end
  return size, #ids
end
