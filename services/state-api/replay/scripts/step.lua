-- Requests steps. Returns the number of those requested before, or why there is none. Before a session was paused, it
-- has made steps that nobody requested. Their number is known when the process that runs it has recorded the pause:
-- earlier requests are added up until then.
-- keys: session open
-- arguments: id count channel

local known = redis.call('HMGET', session, 'mode', 'held', 'granted', 'progress', 'stepped', 'earlySteps')
if not known[1] then return 'absent' end
if known[1] ~= 'manual' and not known[2] then return 'auto' end
if redis.call('HEXISTS', open, id) == 0 then return 'ended' end
local made = known[4] and cjson.decode(known[4]).steps or 0
local before = math.max(tonumber(known[3]), made)
if known[2] and not known[5] then
  before = before + tonumber(known[6] or '0')
  redis.call('HINCRBY', session, 'earlySteps', count)
else
  redis.call('HSET', session, 'granted', before + count)
end
redis.call('HSET', session, 'state', 'running')
redis.call('PUBLISH', channel, id)
return before
