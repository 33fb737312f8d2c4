-- Deletes all data of a subscription.
-- requires: parts/fence.lua
-- arguments: queueId

local bytes = numberOf(key('state', queueId), 'bytes')
if bytes > 0 then count(position, 'bytes', -bytes) end
local express = key('express', queueId)
for _, id in ipairs(redis.call('HKEYS', express)) do
  count(position, 'askedBytes', -redis.call('HSTRLEN', express, id))
end
redis.call('ZREM', stopped, queueId)
redis.call('ZREM', others, queueId)
for _, what in ipairs({'queue', 'items', 'merged', 'latest', 'causes', 'open', 'express', 'state'}) do
  redis.call('UNLINK', key(what, queueId))
end
redis.call('SREM', known, queueId)
redis.call('SREM', asked, queueId)
-- The mark of the deletion is kept for an hour, because another process may not have read the deletion yet.
redis.call('EXPIRE', key('deleted', queueId), 3600)
return {'ok'}
