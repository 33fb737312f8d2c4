-- Called when the state of a token is in the log. A state that was written after a newer one hides it from readers that
-- go by position, such as compaction: the newer one is then written again.
-- requires: complete.lua ../../../common/redis/now.lua
-- keys: event due tracks scope tokens
-- arguments: eventName workflowId token offset dueAt newToken
--
-- dueAt: when the passing of time changes the state next, ms.

local loggedAt = tonumber(offset)
local found = redis.call('HMGET', event, 'token', 'logged', 'stale', 'state')
local stored, logged, stale = found[1], tonumber(found[2] or '-1'), tonumber(found[3] or '-1')
if not stored then
  redis.call('HSET', event, 'token', newToken, 'version', 0, 'state', '', 'logged', -1, 'stale', loggedAt)
  redis.call('ZADD', due, now, eventName)
  redis.call('SADD', scope, workflowId)
  return {'other'}
end
if stored ~= token then
  if loggedAt > stale then redis.call('HSET', event, 'stale', loggedAt) end
  if logged >= 0 and loggedAt > logged then
    redis.call('HSET', event, 'logged', -1)
    redis.call('ZADD', due, now, eventName)
  end
  return {'other'}
end
if loggedAt < stale then return {'again'} end
if found[4] == '' then
  local by = redis.call('HGET', event, 'by')
  if by and redis.call('HINCRBY', tokens, by, -1) <= 0 then redis.call('HDEL', tokens, by) end
  redis.call('DEL', event)
  redis.call('ZREM', due, eventName)
  redis.call('ZREM', tracks, eventName)
  redis.call('SREM', scope, workflowId)
  return {'settled'}
end
redis.call('HSET', event, 'logged', math.max(loggedAt, logged))
redis.call('ZADD', due, dueAt, eventName)
return {'settled'}
