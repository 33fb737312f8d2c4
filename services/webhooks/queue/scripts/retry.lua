-- Records a failed attempt with all before it; a repeated call changes nothing.
-- requires: parts/fence.lua
-- arguments: queueId id attempts nextAt triedAt

local state = key('state', queueId)
if redis.call('HGET', state, 'taken') == id and redis.call('HGET', state, 'attempts') ~= attempts then
  redis.call('HSET', state, 'attempts', attempts, 'nextAt', nextAt, 'triedAt', triedAt)
  redis.call('HINCRBY', state, 'failures', 1)
  redis.call('HDEL', state, 'sent')
end
return {'ok'}
