-- Loads the payload of the delivery that was taken. Returns nothing when another delivery is the head now; 'deleted'
-- when the subscription was deleted, which the process may not have read yet; otherwise order, item, number of merged
-- updates, attempts, then the signals of a batch.
-- requires: parts/fence.lua
-- arguments: queueId id

if redis.call('EXISTS', key('deleted', queueId)) == 1 then return {'ok', 'deleted'} end
local items, state = key('items', queueId), key('state', queueId)
local order, item = redis.call('ZSCORE', key('queue', queueId), id), redis.call('HGET', items, id)
if not order or not item or redis.call('HGET', state, 'taken') ~= id then return {'ok'} end
-- Marks the delivery, so that it is not dropped while it is sent.
redis.call('HSET', state, 'sent', id)
local merged = redis.call('HGET', key('merged', queueId), id) or '0'
local found = {'ok', order, item, merged, redis.call('HGET', state, 'attempts') or '[]'}
for _, each in ipairs(members(item) or {}) do found[#found + 1] = redis.call('HGET', items, each) end
return found
