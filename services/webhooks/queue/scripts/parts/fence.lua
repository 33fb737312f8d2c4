-- Part: ends the script when the owner does not own the partition any more, and names keys, counters and numbers.
-- keys: position
-- arguments: owner base

if redis.call('HGET', position, 'owner') ~= owner then return {'not owner'} end
local stopped, others = base .. ':stopped', base .. ':others'
local known, asked, outbox = base .. ':known', base .. ':asked', base .. ':outbox'
local function key(what, queueId) return base .. ':' .. what .. ':' .. queueId end
local function count(hash, field, by) return redis.call('HINCRBY', hash, field, by) end
local function numberOf(hash, field) return tonumber(redis.call('HGET', hash, field) or '0') end
-- Returns the ids of the signals in a batch; nil for a single signal.
local function members(item)
  if string.sub(item, 1, 9) == '{"batch":' then return cjson.decode(item).batch end
end
