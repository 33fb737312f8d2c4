-- Renews a claim. Returns the steps requested so far.
-- requires: if-owned.lua ../../common/redis/now.lua
-- arguments: leaseMs

redis.call('HSET', session, 'until', now + leaseMs)
return redis.call('HGET', session, 'granted')
