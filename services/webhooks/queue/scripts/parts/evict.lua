-- Part: drops signals until the partition's queues fit into its budget. One call drops a bounded amount, so that other
-- clients do not wait long.
-- requires: push-unsent.lua remove.lua

local overBudget = '"dropped: no room"'
-- Drops the newest signal of the running batch. Returns the number of dropped signals.
local function dropFromOpen(queueId, id, at)
  local state, open = key('state', queueId), key('open', queueId)
  local item = dropItem(queueId, id)
  if item then pushUnsent(queueId, 'failed', overBudget, item, at) end
  if redis.call('LLEN', open) == 0 then redis.call('HDEL', state, 'openedAt', 'openBytes')
  elseif item then count(state, 'openBytes', -#item) end
  return 1
end
-- Returns the subject with which the next update may be merged.
local function subjectOf(item)
  local isRead, signal = pcall(cjson.decode, item)
  if not isRead then return '' end
  if type(signal.dataSourceId) ~= 'string' then return signal.subjectId end
  return signal.dataSourceId .. '\0' .. signal.subjectId
end
-- Drops the newest delivery of a full queue. Returns the number of dropped signals; 0 when only the delivery under way
-- is left.
local function dropNewest(queueId, at)
  local open = redis.call('RPOP', key('open', queueId))
  if open then return dropFromOpen(queueId, open, at) end
  local id = redis.call('ZREVRANGE', key('queue', queueId), 0, 0)[1]
  if not id or id == redis.call('HGET', key('state', queueId), 'sent') then return 0 end
  local item = redis.call('HGET', key('items', queueId), id)
  local ids = members(item)
  if not ids then
    pushUnsent(queueId, 'failed', overBudget, item, at)
    remove(queueId, id, subjectOf(item))
    return 1
  end
  for _, each in ipairs(ids) do
    local one = redis.call('HGET', key('items', queueId), each)
    if one then pushUnsent(queueId, 'failed', overBudget, one, at) end
  end
  remove(queueId, id, '')
  return #ids
end
local function held() return numberOf(position, 'bytes') end
-- Drops from the largest queue of a stopped subscription first, then from the largest queue of the others. The largest
-- queue is never below its fair share. So an active subscription's queue below its share loses nothing, whatever its
-- receiver does. Returns '1' when there is more to drop than one call may.
local function evict(budget, at)
  local before, signals = held(), 0
  while held() > budget do
    if signals >= 1000 or before - held() > 16777216 then return '1' end
    local queueId = redis.call('ZREVRANGE', stopped, 0, 0)[1] or redis.call('ZREVRANGE', others, 0, 0)[1]
    if not queueId then return '' end
    local dropped = dropNewest(queueId, at)
    signals = signals + dropped
    -- Only the delivery under way is left. The queue is ranked again with its next change.
    if dropped == 0 then redis.call('ZREM', stopped, queueId) redis.call('ZREM', others, queueId) end
  end
  return ''
end
