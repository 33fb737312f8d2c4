-- Deletes a session and the signals that are kept of it. Returns 1 when there was one.
-- keys: session open
-- arguments: id channel signalsPrefix shownPrefix

local known = redis.call('HMGET', session, 'version', 'endedOf')
local version, tokenId = known[1] or '', redis.call('HGET', open, id) or known[2] or ''
redis.call('DEL', signalsPrefix .. version)
redis.call('ZREM', shownPrefix .. tokenId, version)
redis.call('HDEL', open, id)
redis.call('PUBLISH', channel, id)
return redis.call('DEL', session)
