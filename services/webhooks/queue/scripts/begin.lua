-- Sets the position and the id of its log.
-- requires: parts/fence.lua
-- arguments: next logId

redis.call('HSET', position, 'next', next, 'logId', logId)
return {'ok'}
