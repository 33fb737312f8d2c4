-- Lets the session go on by itself, at another speed unless `speed` is empty. For a process of an earlier version, a
-- session of the mode manual goes on by itself when very many steps are requested.
-- keys: session open
-- arguments: id speed channel

local known = redis.call('HMGET', session, 'mode', 'held')
if not known[1] then return 'absent' end
if redis.call('HEXISTS', open, id) == 0 then return 'ended' end
if speed ~= '' then redis.call('HSET', session, 'speed', speed) end
if known[1] == 'manual' or known[2] then
  redis.call('HSET', session, 'mode', 'auto', 'granted', '9007199254740991', 'state', 'running')
  redis.call('HDEL', session, 'held', 'stepped', 'idleUntil', 'earlySteps')
end
redis.call('PUBLISH', channel, id)
return 'done'
