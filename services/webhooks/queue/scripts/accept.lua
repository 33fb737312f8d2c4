-- Puts signals into the queues, and moves the position past them. Returns '1' when evict.lua must be called to drop
-- more. Returns 'full' and changes nothing while the outbox is full.
-- requires: parts/append.lua parts/push-unsent.lua parts/evict.lua
-- arguments: from to now lagMs maxWaiting maxBytes batchSignals batchBytes fullOutboxBytes budgetBytes signals...
--
-- from, to: the expected position and the new one. lagMs: a queue whose head is older merges updates. maxWaiting,
-- maxBytes: limits of a queue. budgetBytes: bytes that the partition's queues may hold. Each signal is twelve arguments
-- (accept.ts).

local stored = redis.call('HGET', position, 'next')
if stored ~= from then
  if stored == to then return {'ok'} end
  return {'not owner'}
end
if outboxBytes() > tonumber(fullOutboxBytes) then return {'ok', 'full'} end
local time = tonumber(now)

local function isRepetition(queueId, log, offset, index)
  local newest = redis.call('HGET', key('causes', queueId), log)
  if newest then
    local before, nth = string.match(newest, '^(%d+):(%d+)$')
    before, nth = tonumber(before), tonumber(nth)
    if tonumber(offset) < before or (tonumber(offset) == before and tonumber(index) <= nth) then return true end
  end
  redis.call('HSET', key('causes', queueId), log, offset .. ':' .. index)
  return false
end

local function isLagging(queueId)
  local head = redis.call('ZRANGE', key('queue', queueId), 0, 0, 'WITHSCORES')
  return head[2] ~= nil and time - tonumber(head[2]) / 1000 > tonumber(lagMs)
end

-- The newer update takes the older one's place in the order: otherwise a busy track would never reach the front.
local function merge(queueId, id, subject, item)
  local old = redis.call('HGET', key('latest', queueId), subject)
  if not old or old == redis.call('HGET', key('state', queueId), 'taken') then return false end
  local score = redis.call('ZSCORE', key('queue', queueId), old)
  if not score or not isLagging(queueId) then return false end
  local before = redis.call('HGET', key('items', queueId), old)
  local bytes = numberOf(key('state', queueId), 'bytes')
  if bytes - #before + #item > tonumber(maxBytes) then return false end
  local merged = numberOf(key('merged', queueId), old) + 1
  redis.call('ZREM', key('queue', queueId), old)
  redis.call('ZADD', key('queue', queueId), score, id)
  redis.call('HDEL', key('items', queueId), old)
  redis.call('HDEL', key('merged', queueId), old)
  put(queueId, id, item)
  weigh(queueId, -#before)
  redis.call('HSET', key('merged', queueId), id, merged)
  redis.call('HSET', key('latest', queueId), subject, id)
  pushUnsent(queueId, 'merged', 'null', before, now)
  return true
end

local function fits(queueId, item)
  local waiting = redis.call('ZCARD', key('queue', queueId)) + redis.call('LLEN', key('open', queueId))
  local bytes = numberOf(key('state', queueId), 'bytes') + #item
  return waiting < tonumber(maxWaiting) and bytes <= tonumber(maxBytes)
end

-- In the body, each signal repeats the subscription's current settings, so configBytes counts once for each signal.
local function gather(queueId, id, item, configBytes)
  local state, open = key('state', queueId), key('open', queueId)
  -- The signal is already in this batch, or waits in an earlier one.
  if redis.call('HEXISTS', key('items', queueId), id) == 1 then return end
  redis.call('HSETNX', state, 'openedAt', now)
  redis.call('RPUSH', open, id)
  put(queueId, id, item)
  local bytes, signals = count(state, 'openBytes', #item), redis.call('LLEN', open)
  local isFull = bytes + signals * tonumber(configBytes) >= tonumber(batchBytes) or signals >= tonumber(batchSignals)
  if isFull then closeBatch(queueId, time) end
end

for at = signalsFrom, #ARGV, 12 do
  local queueId, mode, log, offset, index = unpack(ARGV, at, at + 4)
  local id, subject, isMergeable, createdAt, item, refusal, configBytes = unpack(ARGV, at + 5, at + 11)
  redis.call('SADD', known, queueId)
  if not isRepetition(queueId, log, offset, index) then
    if refusal ~= '' then pushUnsent(queueId, 'failed', refusal, item, now)
    elseif mode == 'streaming' and isMergeable == '1' and merge(queueId, id, subject, item) then
    elseif not fits(queueId, item) then pushUnsent(queueId, 'failed', '"the queue is full"', item, now)
    elseif mode == 'batch' then gather(queueId, id, item, configBytes)
    else
      append(queueId, id, item, createdAt, time)
      if isMergeable == '1' then redis.call('HSET', key('latest', queueId), subject, id)
      else redis.call('HDEL', key('latest', queueId), subject) end
    end
  end
end
redis.call('HSET', position, 'next', to)
return {'ok', evict(tonumber(budgetBytes), now)}
