-- Stores fields and values of the session.
-- requires: if-owned.lua
-- arguments: fields...

redis.call('HSET', session, unpack(ARGV, fieldsFrom))
return 1
