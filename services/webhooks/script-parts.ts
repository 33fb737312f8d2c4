// What several scripts have in common, in Lua.

/** Comes first. */
export const FENCE = `
local base = ARGV[2]
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return {'not owner'} end
local function key(what, id) return base .. ':' .. what .. ':' .. id end
local function count(state, field, by) return redis.call('HINCRBY', state, field, by) end
local function number_of(hash, field) return tonumber(redis.call('HGET', hash, field) or '0') end
-- The ids of the signals in a batch; nothing for a signal by itself.
local function members(item)
  if string.sub(item, 1, 9) == '{"batch":' then return cjson.decode(item).batch end
end
local stopped, others = base .. ':stopped', base .. ':others'
`;

/** What waits counts in its queue and in the partition. Queues of stopped subscriptions are apart: they make room first. */
export const WEIGH = `
local function rank(sub)
  local known = redis.call('HMGET', key('state', sub), 'bytes', 'stopped')
  local bytes, here, there = tonumber(known[1] or '0'), others, stopped
  if known[2] == '1' then here, there = stopped, others end
  redis.call('ZREM', there, sub)
  if bytes > 0 then redis.call('ZADD', here, bytes, sub) else redis.call('ZREM', here, sub) end
end
local function weigh(sub, by)
  count(key('state', sub), 'bytes', by)
  count(KEYS[1], 'bytes', by)
  rank(sub)
end
`;

/** `at`: ms. A signal that is not sent by itself. Needs PUSH. */
export const TELL = `
local function tell(sub, status, reason, item, at)
  -- A newer update was sent, so nobody needs the state of this one.
  if status == 'merged' then item = without_payload(item) end
  push('{"unsent":{"queueId":' .. cjson.encode(sub) .. ',"status":"' .. status ..
    '","reason":' .. reason .. ',"at":' .. at .. ',"item":' .. item .. '}}')
end
`;

export const APPEND = `
-- A signal may come a second time.
local function put(sub, id, item)
  local before = redis.call('HSTRLEN', key('items', sub), id)
  redis.call('HSET', key('items', sub), id, item)
  weigh(sub, #item - before)
end
-- Times in ms. The order says the age, and what follows comes behind it: a signal of a clock that is ahead counts as of now.
local function append(sub, id, item, created_at, now)
  local newest = redis.call('ZREVRANGE', key('queue', sub), 0, 0, 'WITHSCORES')[2] or '0'
  local order = math.max(tonumber(newest) + 1, math.min(tonumber(created_at), now + 1000) * 1000)
  redis.call('ZADD', key('queue', sub), string.format('%.0f', order), id)
  put(sub, id, item)
end
-- A receiver drops a repeated id, so a batch that is gathered anew has the old one only with the same signals.
local function close_batch(sub, now)
  local ids = redis.call('LRANGE', key('open', sub), 0, -1)
  if #ids == 0 then return end
  local state = key('state', sub)
  local id = 'batch_' .. redis.sha1hex(table.concat(ids, ','))
  append(sub, id, '{"batch":' .. cjson.encode(ids) .. '}', redis.call('HGET', state, 'openedAt'), now)
  redis.call('UNLINK', key('open', sub))
  redis.call('HDEL', state, 'openedAt', 'openBytes')
end
`;

export const REMOVE = `
local function drop_item(sub, id)
  local item = redis.call('HGET', key('items', sub), id)
  if not item then return end
  weigh(sub, -#item)
  redis.call('HDEL', key('items', sub), id)
  return item
end
local function remove(sub, id, subject)
  local item = drop_item(sub, id)
  for _, each in ipairs(item and members(item) or {}) do drop_item(sub, each) end
  redis.call('ZREM', key('queue', sub), id)
  redis.call('HDEL', key('merged', sub), id)
  if redis.call('HGET', key('latest', sub), subject) == id then redis.call('HDEL', key('latest', sub), subject) end
  local state = key('state', sub)
  if redis.call('HGET', state, 'taken') == id then redis.call('HDEL', state, 'taken', 'attempts') end
  if redis.call('HGET', state, 'sent') == id then redis.call('HDEL', state, 'sent') end
end
`;

export const SIZE = `
-- Bytes, and number of signals.
local function size_of(sub, id)
  local item = redis.call('HGET', key('items', sub), id)
  if not item then return 0, 0 end
  local ids = members(item)
  if not ids then return #item, 1 end
  local size = 0
  for _, each in ipairs(ids) do size = size + redis.call('HSTRLEN', key('items', sub), each) end
  return size, #ids
end
`;

/** Room for others. Needs REMOVE and TELL. A call drops so much at most that others do not wait for it for long. */
export const MAKE_ROOM = `
local no_room = '"dropped: no room"'
-- The newest goes, as of a queue that is full by itself. Returns how many signals that were. 0: nothing but what is
-- being sent is left.
local function drop_newest(sub, at)
  local state, open = key('state', sub), key('open', sub)
  local id = redis.call('RPOP', open)
  if id then
    local item = drop_item(sub, id)
    if item then tell(sub, 'failed', no_room, item, at) end
    if redis.call('LLEN', open) == 0 then redis.call('HDEL', state, 'openedAt', 'openBytes')
    elseif item then count(state, 'openBytes', -#item) end
    return 1
  end
  id = redis.call('ZREVRANGE', key('queue', sub), 0, 0)[1]
  if not id or id == redis.call('HGET', state, 'sent') then return 0 end
  local item = redis.call('HGET', key('items', sub), id)
  local subject, signals, ids = '', 1, members(item)
  if ids then
    signals = #ids
    for _, each in ipairs(ids) do
      local one = redis.call('HGET', key('items', sub), each)
      if one then tell(sub, 'failed', no_room, one, at) end
    end
  else
    tell(sub, 'failed', no_room, item, at)
    local is_read, signal = pcall(cjson.decode, item)
    if is_read then
      subject = signal.subjectId
      if type(signal.dataSourceId) == 'string' then subject = signal.dataSourceId .. '\\0' .. subject end
    end
  end
  remove(sub, id, subject)
  return signals
end
local function held() return number_of(KEYS[1], 'bytes') end
-- The largest queue is never below its fair part, so one that is below it loses nothing, however its receiver does.
-- Returns '1' when there is more to drop than a call may.
local function make_room(room, at)
  local before, signals = held(), 0
  while held() > room do
    if signals >= 1000 or before - held() > 16777216 then return '1' end
    local sub = redis.call('ZREVRANGE', stopped, 0, 0)[1] or redis.call('ZREVRANGE', others, 0, 0)[1]
    if not sub then return '' end
    local dropped = drop_newest(sub, at)
    signals = signals + dropped
    -- It comes back with whatever changes in it.
    if dropped == 0 then redis.call('ZREM', stopped, sub) redis.call('ZREM', others, sub) end
  end
  return ''
end
`;
