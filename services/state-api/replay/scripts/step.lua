-- Requests steps. Returns the number of those requested before, or why there is none.
-- keys: session open
-- arguments: id count channel

local mode = redis.call('HGET', session, 'mode')
if not mode then return 'absent' end
if mode ~= 'manual' then return 'auto' end
if redis.call('HEXISTS', open, id) == 0 then return 'ended' end
local granted = redis.call('HINCRBY', session, 'granted', count)
redis.call('HSET', session, 'state', 'running')
redis.call('PUBLISH', channel, id)
return granted - count
