-- Takes the next delivery of a subscription. Returns the time at which the running batch must be sent ('' when none is
-- running) and, unless nothing waits: id, order, bytes, number of signals, failures in a row, time of the next attempt,
-- whether the last attempt was slow. When the clock was set back, deliveries that wait for a time stop waiting.
-- requires: parts/append.lua parts/size.lua
-- arguments: queueId now version batchMs isStopped
--
-- batchMs is '' when the subscription gets no batches.

local time = tonumber(now)
local state = key('state', queueId)
if redis.call('HGET', state, 'version') ~= version then
  redis.call('SADD', known, queueId)
  redis.call('HSET', state, 'version', version)
  redis.call('HDEL', state, 'failures', 'nextAt', 'triedAt', 'slow')
end
if redis.call('HGET', state, 'stopped') ~= isStopped then
  redis.call('HSET', state, 'stopped', isStopped)
  rank(queueId)
end
local fullAt = ''
local openedAt = tonumber(redis.call('HGET', state, 'openedAt'))
if openedAt then
  if batchMs == '' or time < openedAt or time >= openedAt + tonumber(batchMs) then closeBatch(queueId, time)
  else fullAt = string.format('%.0f', openedAt + tonumber(batchMs)) end
end
local head = redis.call('ZRANGE', key('queue', queueId), 0, 0, 'WITHSCORES')
if #head == 0 then return {'ok', fullAt} end
local id = head[1]
if redis.call('HGET', state, 'taken') ~= id then
  redis.call('HSET', state, 'taken', id)
  redis.call('HDEL', state, 'attempts')
end
local receiver = redis.call('HMGET', state, 'failures', 'nextAt', 'slow', 'triedAt')
local nextAt = receiver[2] or '0'
if time < tonumber(receiver[4] or '0') then nextAt = '0' end
local bytes, signals = sizeOf(queueId, id)
return {'ok', fullAt, id, head[2], tostring(bytes), tostring(signals), receiver[1] or '0', nextAt, receiver[3] or '0'}
