-- Returns at most two workflows of the scope, because the caller only needs to know whether there is exactly one.
-- requires: complete.lua
-- keys: scope

return {'found', unpack(redis.call('SRANDMEMBER', scope, 2))}
