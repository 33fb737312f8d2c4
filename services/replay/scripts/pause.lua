-- Records that the session waits for a step, and until when it may. It does not wait when a caller has just resumed it.
-- Steps that were requested since it was paused count from here: then it goes on at once.
-- requires: if-owned.lua ../../common/redis/now.lua
-- arguments: progress steps idleMs

local known = redis.call('HMGET', session, 'mode', 'held', 'earlySteps')
if known[1] ~= 'manual' and not known[2] then return 1 end
redis.call('HSET', session, 'progress', progress, 'stepped', steps, 'idleUntil', now + idleMs)
if known[3] then
  redis.call('HSET', session, 'granted', steps + known[3])
  redis.call('HDEL', session, 'earlySteps')
else
  redis.call('HSET', session, 'state', 'paused')
end
return 1
