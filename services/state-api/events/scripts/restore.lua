-- Stores a state that the log has. Redis may have a newer state that is not in the log yet.
-- keys: event due tracks scope
-- arguments: eventName workflowId token version state offset dueAt isTrackChecked

local stored = tonumber(redis.call('HGET', event, 'version') or '-1')
if stored >= tonumber(version) then return 0 end
redis.call('HSET', event, 'token', token, 'version', version, 'state', state, 'logged', offset, 'stale', -1)
redis.call('ZADD', due, dueAt, eventName)
if isTrackChecked == '1' then redis.call('ZADD', tracks, 'NX', 0, eventName)
else redis.call('ZREM', tracks, eventName) end
redis.call('SADD', scope, workflowId)
return 1
