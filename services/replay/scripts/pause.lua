-- Records that the session waits for a step, and until when it may.
-- requires: if-owned.lua ../../common/redis/now.lua
-- arguments: progress steps idleMs

redis.call('HSET', session, 'state', 'paused', 'progress', progress, 'stepped', steps, 'idleUntil', now + idleMs)
return 1
