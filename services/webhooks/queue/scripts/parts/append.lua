-- Part: puts a signal or a batch at the end of its queue.
-- requires: weigh.lua

-- The same signal may arrive a second time, so the size of the stored item is subtracted.
local function put(queueId, id, item)
  local before = redis.call('HSTRLEN', key('items', queueId), id)
  redis.call('HSET', key('items', queueId), id, item)
  weigh(queueId, #item - before)
end
-- createdAt, time: ms. The score is the creation time in microseconds, but always greater than all others of the queue,
-- so that signals keep the order of their arrival. A creation time far in the future counts as one second from now.
local function append(queueId, id, item, createdAt, time)
  local newest = redis.call('ZREVRANGE', key('queue', queueId), 0, 0, 'WITHSCORES')[2] or '0'
  local order = math.max(tonumber(newest) + 1, math.min(tonumber(createdAt), time + 1000) * 1000)
  redis.call('ZADD', key('queue', queueId), string.format('%.0f', order), id)
  put(queueId, id, item)
end
-- A receiver drops a repeated id, so a batch that is gathered again keeps its id only with the same signals.
local function closeBatch(queueId, time)
  local ids = redis.call('LRANGE', key('open', queueId), 0, -1)
  if #ids == 0 then return end
  local state = key('state', queueId)
  local id = 'batch_' .. redis.sha1hex(table.concat(ids, ','))
  append(queueId, id, '{"batch":' .. cjson.encode(ids) .. '}', redis.call('HGET', state, 'openedAt'), time)
  redis.call('UNLINK', key('open', queueId))
  redis.call('HDEL', state, 'openedAt', 'openBytes')
end
