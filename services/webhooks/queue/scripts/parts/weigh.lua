-- Part: the size of a queue. Every waiting signal counts in its queue and in the partition. Queues of stopped
-- subscriptions are ranked in a set of their own, because their signals are dropped first.
-- requires: fence.lua

local function rank(queueId)
  local found = redis.call('HMGET', key('state', queueId), 'bytes', 'stopped')
  local bytes, here, there = tonumber(found[1] or '0'), others, stopped
  if found[2] == '1' then here, there = stopped, others end
  redis.call('ZREM', there, queueId)
  if bytes > 0 then redis.call('ZADD', here, bytes, queueId) else redis.call('ZREM', here, queueId) end
end
local function weigh(queueId, by)
  count(key('state', queueId), 'bytes', by)
  count(position, 'bytes', by)
  rank(queueId)
end
