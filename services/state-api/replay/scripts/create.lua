-- Creates a session, within the limits for all sessions and for those of its token. It may replace one that has ended.
-- keys: session open
-- arguments: id tokenId maxSessions maxSessionsOfToken channel signalsPrefix fields...

if redis.call('HEXISTS', open, id) == 1 then return 'exists' end
if redis.call('HLEN', open) >= tonumber(maxSessions) then return 'too-many' end
local own = 0
for _, each in ipairs(redis.call('HVALS', open)) do
  if each == tokenId then own = own + 1 end
end
if own >= tonumber(maxSessionsOfToken) then return 'too-many-of-token' end
redis.call('DEL', session, signalsPrefix .. (redis.call('HGET', session, 'version') or ''))
redis.call('HSET', session, unpack(ARGV, fieldsFrom))
redis.call('HSET', open, id, tokenId)
redis.call('PUBLISH', channel, id)
return 'created'
