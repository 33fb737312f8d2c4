-- Renews a claim. Returns how callers want the session to go on: values of the fields of `steeringFields`.
-- requires: if-owned.lua ../../common/redis/now.lua
-- arguments: leaseMs

redis.call('HSET', session, 'until', now + leaseMs)
return redis.call('HMGET', session, 'mode', 'held', 'granted', 'speed')
