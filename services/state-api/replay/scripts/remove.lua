-- Deletes a session and the signals that are kept of it. Returns 1 when there was one.
-- keys: session open
-- arguments: id channel signalsPrefix

redis.call('DEL', signalsPrefix .. (redis.call('HGET', session, 'version') or ''))
redis.call('HDEL', open, id)
redis.call('PUBLISH', channel, id)
return redis.call('DEL', session)
