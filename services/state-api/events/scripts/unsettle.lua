-- Called when a state of the event may be in the log at an unknown position. Marks the stored state as not logged, so
-- that it is written again. If there is no event any more, a placeholder without a state is stored, and is written to
-- the log to remove the event there.
-- requires: complete.lua ../../../common/redis/now.lua
-- keys: event due scope
-- arguments: eventName workflowId newToken

if redis.call('HSETNX', event, 'token', newToken) == 1 then
  redis.call('HSET', event, 'version', 0, 'state', '', 'stale', -1)
  redis.call('SADD', scope, workflowId)
end
redis.call('HSET', event, 'logged', -1)
redis.call('ZADD', due, now, eventName)
return {'unsettled'}
