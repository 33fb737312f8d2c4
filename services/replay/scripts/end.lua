-- Ends a session, and forgets the oldest ended sessions of the same token beyond maxSessions and maxBytes. The list may
-- name an id that another session has got since, so only sessions that are still ended ones of this token count.
-- requires: if-owned.lua ../../common/redis/now.lua
-- keys: session open ended signals
-- arguments: ifWaiting id tokenId prefix signalsPrefix keepMs maxSessions maxBytes fields...
--
-- ended: the ended sessions of the token. prefix: of the keys of sessions. keepMs: the time for which an ended session
-- can be queried. ifWaiting: 1 when a session that does not wait for a caller any more must go on.

local known = redis.call('HMGET', session, 'granted', 'stepped')
local waits = known[2] and tonumber(known[1]) <= tonumber(known[2])
if ifWaiting == '1' and not waits then
  redis.call('HDEL', session, 'owner', 'until')
  return false
end
redis.call('HSET', session, 'endedOf', tokenId, unpack(ARGV, fieldsFrom))
redis.call('HDEL', session, 'owner', 'until', 'spec', 'plan', 'held', 'stepped', 'idleUntil', 'earlySteps')
redis.call('HDEL', open, id)
redis.call('PEXPIRE', session, keepMs)
redis.call('PEXPIRE', signals, keepMs)
local bytes = 0
for _, text in ipairs(redis.call('HGETALL', session)) do bytes = bytes + #text end
redis.call('HSET', session, 'bytes', bytes)
redis.call('ZADD', ended, now, id)
redis.call('PEXPIRE', ended, keepMs)
local sessionsLeft, bytesLeft = tonumber(maxSessions), tonumber(maxBytes)
for _, each in ipairs(redis.call('ZREVRANGE', ended, 0, -1)) do
  local key = prefix .. each
  local known = redis.call('HMGET', key, 'endedOf', 'bytes', 'version')
  local isOurs, size = known[1] == tokenId, tonumber(known[2] or '0')
  if isOurs and sessionsLeft > 0 and (size <= bytesLeft or each == id) then
    sessionsLeft, bytesLeft = sessionsLeft - 1, bytesLeft - size
  else
    if isOurs then redis.call('DEL', key, signalsPrefix .. (known[3] or '')) end
    redis.call('ZREM', ended, each)
  end
end
return 1
