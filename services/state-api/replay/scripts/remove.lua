-- Deletes a session. Returns 1 when there was one.
-- keys: session open
-- arguments: id channel

local known = redis.call('DEL', session)
redis.call('HDEL', open, id)
redis.call('PUBLISH', channel, id)
return known
