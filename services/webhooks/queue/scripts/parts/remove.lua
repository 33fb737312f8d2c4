-- Part: removes a delivery with its signals.
-- requires: weigh.lua

local function dropItem(queueId, id)
  local item = redis.call('HGET', key('items', queueId), id)
  if not item then return end
  weigh(queueId, -#item)
  redis.call('HDEL', key('items', queueId), id)
  return item
end
local function remove(queueId, id, subject)
  local item = dropItem(queueId, id)
  for _, each in ipairs(item and members(item) or {}) do dropItem(queueId, each) end
  redis.call('ZREM', key('queue', queueId), id)
  redis.call('HDEL', key('merged', queueId), id)
  local latest = key('latest', queueId)
  if redis.call('HGET', latest, subject) == id then redis.call('HDEL', latest, subject) end
  local state = key('state', queueId)
  if redis.call('HGET', state, 'taken') == id then redis.call('HDEL', state, 'taken', 'attempts') end
  if redis.call('HGET', state, 'sent') == id then redis.call('HDEL', state, 'sent') end
end
