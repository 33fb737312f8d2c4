-- Ends a delivery. A delivery that is given up unsent does not change the state of its receiver, which may still be
-- unavailable.
-- requires: parts/push.lua parts/remove.lua
-- arguments: queueId id subject record failures nextAt triedAt slow
--
-- The last four are '' when the receiver was not contacted.

if redis.call('ZSCORE', key('queue', queueId), id) then
  remove(queueId, id, subject)
  push(record)
  if failures ~= '' then
    redis.call('HSET', key('state', queueId), 'failures', failures, 'nextAt', nextAt, 'triedAt', triedAt, 'slow', slow)
  end
end
return {'ok'}
