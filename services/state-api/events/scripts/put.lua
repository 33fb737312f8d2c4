-- Stores a change if the state that it was decided on is still there.
-- requires: complete.lua ../../../common/redis/now.lua
-- keys: event due tracks scope tokens
-- arguments: eventName workflowId on token version state isTrackChecked maxEvents takeUpMs by maxEventsPerToken
--
-- on: the token of the state that the decision was made on, '' for none. takeUpMs: after this time another process
-- takes up a change that is still not logged. by: the id of the caller's token, '' for none.

local stored = redis.call('HGET', event, 'token') or ''
if stored ~= on then return {'changed'} end
if stored == '' then
  if redis.call('ZCARD', due) >= tonumber(maxEvents) then return {'full'} end
  if by ~= '' then
    local begun = tonumber(redis.call('HGET', tokens, by) or '0')
    if begun >= tonumber(maxEventsPerToken) then return {'full of token'} end
    redis.call('HINCRBY', tokens, by, 1)
    redis.call('HSET', event, 'by', by)
  end
end
redis.call('HSET', event, 'token', token, 'version', version, 'state', state, 'logged', -1)
redis.call('HSETNX', event, 'stale', -1)
redis.call('ZADD', due, now + tonumber(takeUpMs), eventName)
if isTrackChecked == '1' then redis.call('ZADD', tracks, 'NX', now, eventName)
else redis.call('ZREM', tracks, eventName) end
redis.call('SADD', scope, workflowId)
return {'put'}
