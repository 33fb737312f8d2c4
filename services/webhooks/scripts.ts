// Scripts that Redis runs in one step. Only the present owner of a partition may write: each begins with its name.
// KEYS: position. ARGV: owner, base of all keys, then what a script needs. A subscription is named by its QueueId, so
// that nothing of a deleted one reaches another one with its id.

import { FULL_OUTBOX_BYTES } from "../../projections/deliveries/outbox-bounds.ts";
import { PUSH } from "./outbox-part.ts";
import { APPEND, FENCE, MAKE_ROOM, REMOVE, SIZE, TELL, WEIGH } from "./script-parts.ts";

/** ARGV: id of the log. Returns what is known of the position. */
export const CLAIM_SCRIPT = `
redis.call('HSET', KEYS[1], 'owner', ARGV[1])
local known = redis.call('HMGET', KEYS[1], 'next', 'logId')
return {'ok', known[1] or '', known[2] or ''}`;

/** ARGV: next, id of the log. */
export const BEGIN_SCRIPT = `${FENCE}
redis.call('HSET', KEYS[1], 'next', ARGV[3], 'logId', ARGV[4])
return {'ok'}`;

/**
 * Takes signals in together with the position behind them. Returns '1' when more room is to be made. ARGV: expected position, new one, now, lag (ms), bounds of a
 * queue (signals, bytes) and of a batch (signals, bytes), room of the partition (bytes); then of each signal: subscription, mode, log, offset, index,
 * id, subject, whether it is mergeable, creation, itself, why it is refused, what it takes in a batch besides itself (bytes). Returns 'full' and changes nothing while too
 * much is to be told.
 */
export const ACCEPT_SCRIPT = `${FENCE}${WEIGH}${PUSH}${TELL}${APPEND}${REMOVE}${MAKE_ROOM}
local position = redis.call('HGET', KEYS[1], 'next')
if position ~= ARGV[3] then
  if position == ARGV[4] then return {'ok'} end
  return {'not owner'}
end
if outbox_bytes() > ${FULL_OUTBOX_BYTES} then return {'ok', 'full'} end
local now, lag = tonumber(ARGV[5]), tonumber(ARGV[6])
local max_count, max_bytes, batch_count, batch_bytes = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])

local function is_repetition(sub, log, offset, index)
  local newest = redis.call('HGET', key('causes', sub), log)
  if newest then
    local before, nth = string.match(newest, '^(%d+):(%d+)$')
    before, nth = tonumber(before), tonumber(nth)
    if tonumber(offset) < before or (tonumber(offset) == before and tonumber(index) <= nth) then return true end
  end
  redis.call('HSET', key('causes', sub), log, offset .. ':' .. index)
  return false
end

local function is_lagging(sub)
  local head = redis.call('ZRANGE', key('queue', sub), 0, 0, 'WITHSCORES')
  return head[2] ~= nil and now - tonumber(head[2]) / 1000 > lag
end

-- The newer update takes the older one's place in the order: else a busy track would never reach the front.
local function merge(sub, id, subject, item)
  local old = redis.call('HGET', key('latest', sub), subject)
  if not old or old == redis.call('HGET', key('state', sub), 'taken') then return false end
  local score = redis.call('ZSCORE', key('queue', sub), old)
  if not score or not is_lagging(sub) then return false end
  local before = redis.call('HGET', key('items', sub), old)
  local bytes = number_of(key('state', sub), 'bytes')
  if bytes - #before + #item > max_bytes then return false end
  local merged = number_of(key('merged', sub), old) + 1
  redis.call('ZREM', key('queue', sub), old)
  redis.call('ZADD', key('queue', sub), score, id)
  redis.call('HDEL', key('items', sub), old)
  redis.call('HDEL', key('merged', sub), old)
  put(sub, id, item)
  weigh(sub, -#before)
  redis.call('HSET', key('merged', sub), id, merged)
  redis.call('HSET', key('latest', sub), subject, id)
  tell(sub, 'merged', 'null', before, ARGV[5])
  return true
end

local function has_room(sub, item)
  local waiting = redis.call('ZCARD', key('queue', sub)) + redis.call('LLEN', key('open', sub))
  return waiting < max_count and number_of(key('state', sub), 'bytes') + #item <= max_bytes
end

-- Each signal of a body repeats the settings of the subscription, as they are now.
local function gather(sub, id, item, config_bytes)
  local state, open = key('state', sub), key('open', sub)
  -- It is in the batch, or waits in one before it.
  if redis.call('HEXISTS', key('items', sub), id) == 1 then return end
  redis.call('HSETNX', state, 'openedAt', ARGV[5])
  redis.call('RPUSH', open, id)
  put(sub, id, item)
  local bytes, signals = count(state, 'openBytes', #item), redis.call('LLEN', open)
  if bytes + signals * config_bytes >= batch_bytes or signals >= batch_count then close_batch(sub, now) end
end

for at = 12, #ARGV, 12 do
  local sub, mode, log, offset, index = unpack(ARGV, at, at + 4)
  local id, subject, mergeable, created_at, item, refusal, config_bytes = unpack(ARGV, at + 5, at + 11)
  redis.call('SADD', base .. ':known', sub)
  if not is_repetition(sub, log, offset, index) then
    if refusal ~= '' then tell(sub, 'failed', refusal, item, ARGV[5])
    elseif mode == 'streaming' and mergeable == '1' and merge(sub, id, subject, item) then
    elseif not has_room(sub, item) then tell(sub, 'failed', '"the queue is full"', item, ARGV[5])
    else
      if mode == 'batch' then gather(sub, id, item, tonumber(config_bytes))
      else
        append(sub, id, item, created_at, now)
        if mergeable == '1' then redis.call('HSET', key('latest', sub), subject, id)
        else redis.call('HDEL', key('latest', sub), subject) end
      end
    end
  end
end
redis.call('HSET', KEYS[1], 'next', ARGV[4])
return {'ok', make_room(tonumber(ARGV[11]), ARGV[5])}`;

/** Drops what there is no room for. ARGV: now, room of the partition (bytes). Returns '1' when it is to be called again. */
export const MAKE_ROOM_SCRIPT = `${FENCE}${WEIGH}${PUSH}${TELL}${REMOVE}${MAKE_ROOM}
return {'ok', make_room(tonumber(ARGV[4]), ARGV[3])}`;

/**
 * The next delivery of a subscription. ARGV: subscription, now, version, length of a batch ('' = none), whether it is stopped.
 * Returns when the running batch is full ('' = none runs) and, unless nothing waits: id, order, bytes, number of signals, failures in
 * a row, when it may be tried, whether the last attempt was slow. Where the clock was set back, what waits for a time
 * waits no longer.
 */
export const TAKE_SCRIPT = `${FENCE}${WEIGH}${APPEND}${SIZE}
local sub, now = ARGV[3], tonumber(ARGV[4])
local state = key('state', sub)
if redis.call('HGET', state, 'version') ~= ARGV[5] then
  redis.call('SADD', base .. ':known', sub)
  redis.call('HSET', state, 'version', ARGV[5])
  redis.call('HDEL', state, 'failures', 'nextAt', 'triedAt', 'slow')
end
if redis.call('HGET', state, 'stopped') ~= ARGV[7] then
  redis.call('HSET', state, 'stopped', ARGV[7])
  rank(sub)
end
local full_at = ''
local opened_at = redis.call('HGET', state, 'openedAt')
if opened_at then
  local opened = tonumber(opened_at)
  if ARGV[6] == '' or now < opened or now >= opened + tonumber(ARGV[6]) then close_batch(sub, now)
  else full_at = string.format('%.0f', opened + tonumber(ARGV[6])) end
end
local head = redis.call('ZRANGE', key('queue', sub), 0, 0, 'WITHSCORES')
if #head == 0 then return {'ok', full_at} end
local id = head[1]
if redis.call('HGET', state, 'taken') ~= id then
  redis.call('HSET', state, 'taken', id)
  redis.call('HDEL', state, 'attempts')
end
local known = redis.call('HMGET', state, 'failures', 'nextAt', 'slow', 'triedAt')
local next_at = known[2] or '0'
if now < tonumber(known[4] or '0') then next_at = '0' end
local bytes, signals = size_of(sub, id)
return {'ok', full_at, id, head[2], tostring(bytes), tostring(signals), known[1] or '0', next_at, known[3] or '0'}`;

/**
 * The payload of the delivery that was taken. ARGV: subscription, id. Returns nothing if it is another one now; 'deleted' if
 * the subscription was, which the process may have yet to read; else
 * order, item, how many it took the place of, attempts, then the signals of a batch.
 */
export const LOAD_SCRIPT = `${FENCE}
local sub, id = ARGV[3], ARGV[4]
if redis.call('EXISTS', key('deleted', sub)) == 1 then return {'ok', 'deleted'} end
local items, state = key('items', sub), key('state', sub)
local order, item = redis.call('ZSCORE', key('queue', sub), id), redis.call('HGET', items, id)
if not order or not item or redis.call('HGET', state, 'taken') ~= id then return {'ok'} end
-- So it is not dropped meanwhile.
redis.call('HSET', state, 'sent', id)
local found = {'ok', order, item, redis.call('HGET', key('merged', sub), id) or '0',
  redis.call('HGET', state, 'attempts') or '[]'}
for _, each in ipairs(members(item) or {}) do found[#found + 1] = redis.call('HGET', items, each) end
return found`;

/** What is asked for. ARGV: subscription. Returns of each its id, bytes and number of signals. */
export const EXPRESS_SCRIPT = `${FENCE}${SIZE}
local found = {'ok'}
for _, id in ipairs(redis.call('HKEYS', key('express', ARGV[3]))) do
  local bytes, signals = size_of(ARGV[3], id)
  found[#found + 1] = id
  found[#found + 1] = tostring(redis.call('HSTRLEN', key('express', ARGV[3]), id) + bytes)
  found[#found + 1] = tostring(signals)
end
return found`;

/**
 * A failed attempt; a repeated call changes nothing. ARGV: subscription, id, all attempts, when to try again, when the last
 * attempt began.
 */
export const RETRY_SCRIPT = `${FENCE}
local state = key('state', ARGV[3])
if redis.call('HGET', state, 'taken') == ARGV[4] and redis.call('HGET', state, 'attempts') ~= ARGV[5] then
  redis.call('HSET', state, 'attempts', ARGV[5], 'nextAt', ARGV[6], 'triedAt', ARGV[7])
  redis.call('HINCRBY', state, 'failures', 1)
  redis.call('HDEL', state, 'sent')
end
return {'ok'}`;

/**
 * The end of a delivery. ARGV: subscription, id, subject, record for the log; if the receiver was asked: failures in a row,
 * when to try the next, when the last attempt began, whether it was slow. A delivery that is given up unsent says nothing
 * of its receiver, which may still be away.
 */
export const END_SCRIPT = `${FENCE}${WEIGH}${PUSH}${REMOVE}
local sub, id = ARGV[3], ARGV[4]
if redis.call('ZSCORE', key('queue', sub), id) then
  remove(sub, id, ARGV[5])
  push(ARGV[6])
  if ARGV[7] then
    redis.call('HSET', key('state', sub), 'failures', ARGV[7], 'nextAt', ARGV[8], 'triedAt', ARGV[9], 'slow', ARGV[10])
  end
end
return {'ok'}`;

/**
 * The end of a delivery that somebody asked for. ARGV: subscription, id, subject, record for the log ('' = none),
 * whether it succeeded: then it waits no more in the queue either.
 */
export const END_EXPRESS_SCRIPT = `${FENCE}${WEIGH}${PUSH}${REMOVE}
local sub, id = ARGV[3], ARGV[4]
local bytes = redis.call('HSTRLEN', key('express', sub), id)
if redis.call('HDEL', key('express', sub), id) == 1 then
  count(KEYS[1], 'askedBytes', -bytes)
  if ARGV[7] == '1' then
    if redis.call('ZSCORE', key('queue', sub), id) then remove(sub, id, ARGV[5]) end
    redis.call('HDEL', key('state', sub), 'failures', 'nextAt')
  end
  if ARGV[6] ~= '' then push(ARGV[6]) end
end
if redis.call('HLEN', key('express', sub)) == 0 then redis.call('SREM', base .. ':asked', sub) end
return {'ok'}`;

/** ARGV: subscription. */
export const FORGET_SCRIPT = `${FENCE}
local sub = ARGV[3]
local bytes = number_of(key('state', sub), 'bytes')
if bytes > 0 then count(KEYS[1], 'bytes', -bytes) end
for _, id in ipairs(redis.call('HKEYS', key('express', sub))) do
  count(KEYS[1], 'askedBytes', -redis.call('HSTRLEN', key('express', sub), id))
end
redis.call('ZREM', stopped, sub)
redis.call('ZREM', others, sub)
for _, what in ipairs({'queue', 'items', 'merged', 'latest', 'causes', 'open', 'express', 'state'}) do
  redis.call('UNLINK', key(what, sub))
end
redis.call('SREM', base .. ':known', sub)
redis.call('SREM', base .. ':asked', sub)
-- Another process may have yet to read of the deletion.
redis.call('EXPIRE', key('deleted', sub), 3600)
return {'ok'}`;

/** The oldest that the log is to be told. ARGV: how much at most, in number and bytes; there is one in any case. */
export const OUTBOX_SCRIPT = `${FENCE}
local found, bytes = {'ok'}, 0
for at = 0, tonumber(ARGV[3]) - 1 do
  local entry = redis.call('LINDEX', base .. ':outbox', at)
  if not entry then break end
  bytes = bytes + #entry
  if at > 0 and bytes > tonumber(ARGV[4]) then break end
  found[#found + 1] = entry
end
return found`;

/** Drops what the log has been told. ARGV: how much, its first record: a repeated call must not drop more. */
export const TOLD_SCRIPT = `${FENCE}
local outbox = base .. ':outbox'
if redis.call('LINDEX', outbox, 0) == ARGV[4] then
  local bytes = 0
  for _, entry in ipairs(redis.call('LRANGE', outbox, 0, tonumber(ARGV[3]) - 1)) do bytes = bytes + #entry end
  redis.call('LTRIM', outbox, ARGV[3], -1)
  count(KEYS[1], 'outboxBytes', -bytes)
end
return {'ok'}`;
