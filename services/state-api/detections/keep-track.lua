-- Keeps the text of a track, and drops the oldest texts beyond maxTracks.
-- requires: ../../common/redis/now.lua
-- keys: track index
-- arguments: text ttlMs maxTracks

redis.call('SET', track, text, 'PX', ttlMs)
redis.call('ZADD', index, now, track)
redis.call('PEXPIRE', index, ttlMs)
redis.call('ZREMRANGEBYSCORE', index, '-inf', now - ttlMs)
local over = redis.call('ZCARD', index) - maxTracks
if over > 0 then
  local gone = redis.call('ZPOPMIN', index, over)
  for at = 1, #gone, 2 do redis.call('UNLINK', gone[at]) end
end
return 'kept'
