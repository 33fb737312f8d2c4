-- Returns the time, and `token`, `logged`, `version`, `state` if there is an event.
-- requires: complete.lua ../../../common/redis/now.lua
-- keys: event

return {'loaded', tostring(now), unpack(redis.call('HMGET', event, 'token', 'logged', 'version', 'state'))}
