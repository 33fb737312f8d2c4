-- Makes the session wait for steps. The process that runs it pauses it when its present delivery is done; without such
-- a process it is paused at once.
-- requires: ../../../common/redis/now.lua
-- keys: session open
-- arguments: id channel

local known = redis.call('HMGET', session, 'mode', 'held', 'until')
if not known[1] then return 'absent' end
if redis.call('HEXISTS', open, id) == 0 then return 'ended' end
if known[1] == 'manual' or known[2] then return 'done' end
redis.call('HSET', session, 'held', 1, 'granted', 0)
if tonumber(known[3] or '0') <= now then redis.call('HSET', session, 'state', 'paused') end
redis.call('PUBLISH', channel, id)
return 'done'
