-- Ends a requested delivery. One that succeeded is removed from the queue too.
-- requires: parts/push.lua parts/remove.lua
-- arguments: queueId id subject record succeeded
--
-- record is '' when the log gets none.

local express, state = key('express', queueId), key('state', queueId)
local bytes = redis.call('HSTRLEN', express, id)
if redis.call('HDEL', express, id) == 1 then
  count(position, 'askedBytes', -bytes)
  if succeeded == '1' then
    if redis.call('ZSCORE', key('queue', queueId), id) then remove(queueId, id, subject) end
    redis.call('HDEL', state, 'failures', 'nextAt')
  end
  if record ~= '' then push(record) end
end
if redis.call('HLEN', express) == 0 then redis.call('SREM', asked, queueId) end
return {'ok'}
