-- Records that the session waits for a step, and until when it may. It does not wait when a caller has just resumed it.
-- requires: if-owned.lua ../../common/redis/now.lua
-- arguments: progress steps idleMs

local known = redis.call('HMGET', session, 'mode', 'held')
if known[1] ~= 'manual' and not known[2] then return 1 end
redis.call('HSET', session, 'state', 'paused', 'progress', progress, 'stepped', steps, 'idleUntil', now + idleMs)
return 1
