-- Returns members of a sorted set whose time has come, and postpones them.
-- requires: ../../../common/redis/now.lua
-- keys: set
-- arguments: count postponeMs

local members = redis.call('ZRANGEBYSCORE', set, '-inf', now, 'LIMIT', 0, count)
for _, member in ipairs(members) do redis.call('ZADD', set, now + tonumber(postponeMs), member) end
return members
