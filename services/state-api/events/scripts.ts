// Scripts that Redis runs in one step. They know nothing of the life of an event: they store what was decided if what
// it was decided on is still there. KEYS of the first three: marker, event, due, tracks, scope, tokens. ARGV begins with the
// value that the marker must have, and what the sets call the event: its key and its workflow.

const COMPLETE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'lost'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local event = KEYS[2]
`;

/** Gives the time, and `token`, `logged`, `version`, `state` if there is an event. */
export const LOAD_SCRIPT = `${COMPLETE}
return {'loaded', tostring(now), unpack(redis.call('HMGET', event, 'token', 'logged', 'version', 'state'))}
`;

/**
 * ARGV: the token of what it was decided on, "" for nothing; token, version and state of the change; whether a track is
 * to be looked at; how many events there may be; when a change that nobody has logged must be taken up; the id of the caller's
 * token, "" for none, and how many events may have begun with it.
 */
export const PUT_SCRIPT = `${COMPLETE}
local token = redis.call('HGET', event, 'token') or ''
if token ~= ARGV[4] then return {'changed'} end
if token == '' then
  if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[9]) then return {'full'} end
  if ARGV[11] ~= '' then
    if tonumber(redis.call('HGET', KEYS[6], ARGV[11]) or '0') >= tonumber(ARGV[12]) then return {'full of token'} end
    redis.call('HINCRBY', KEYS[6], ARGV[11], 1)
    redis.call('HSET', event, 'by', ARGV[11])
  end
end
redis.call('HSET', event, 'token', ARGV[5], 'version', ARGV[6], 'state', ARGV[7], 'logged', -1)
redis.call('HSETNX', event, 'stale', -1)
redis.call('ZADD', KEYS[3], now + tonumber(ARGV[10]), ARGV[2])
if ARGV[8] == '1' then redis.call('ZADD', KEYS[4], 'NX', now, ARGV[2]) else redis.call('ZREM', KEYS[4], ARGV[2]) end
redis.call('SADD', KEYS[5], ARGV[3])
return {'put'}
`;

/**
 * A state of the event may have got into the log, nobody knows where. ARGV: a new token. If there is no event any more,
 * one that is to be forgotten takes its place, until that is in the log.
 */
export const DOUBT_SCRIPT = `${COMPLETE}
if redis.call('HSETNX', event, 'token', ARGV[4]) == 1 then
  redis.call('HSET', event, 'version', 0, 'state', '', 'stale', -1)
  redis.call('SADD', KEYS[5], ARGV[3])
end
redis.call('HSET', event, 'logged', -1)
redis.call('ZADD', KEYS[3], now, ARGV[2])
return {'doubted'}
`;

/**
 * The state of a token is in the log. ARGV: that token, the offset, when time changes the state next, a new token. A
 * state that was written after a newer one hides that from whoever reads the log by position, as compaction does: the
 * newer one is then written again.
 */
export const SETTLE_SCRIPT = `${COMPLETE}
local offset = tonumber(ARGV[5])
local found = redis.call('HMGET', event, 'token', 'logged', 'stale', 'state')
local token, logged, stale = found[1], tonumber(found[2] or '-1'), tonumber(found[3] or '-1')
if not token then
  redis.call('HSET', event, 'token', ARGV[7], 'version', 0, 'state', '', 'logged', -1, 'stale', offset)
  redis.call('ZADD', KEYS[3], now, ARGV[2])
  redis.call('SADD', KEYS[5], ARGV[3])
  return {'other'}
end
if token ~= ARGV[4] then
  if offset > stale then redis.call('HSET', event, 'stale', offset) end
  if logged >= 0 and offset > logged then
    redis.call('HSET', event, 'logged', -1)
    redis.call('ZADD', KEYS[3], now, ARGV[2])
  end
  return {'other'}
end
if offset < stale then return {'again'} end
if found[4] == '' then
  local by = redis.call('HGET', event, 'by')
  if by and redis.call('HINCRBY', KEYS[6], by, -1) <= 0 then redis.call('HDEL', KEYS[6], by) end
  redis.call('DEL', event)
  redis.call('ZREM', KEYS[3], ARGV[2])
  redis.call('ZREM', KEYS[4], ARGV[2])
  redis.call('SREM', KEYS[5], ARGV[3])
  return {'settled'}
end
redis.call('HSET', event, 'logged', math.max(offset, logged))
redis.call('ZADD', KEYS[3], ARGV[6], ARGV[2])
return {'settled'}
`;

/** KEYS: marker, scope. Gives at most two workflows, because the caller only needs to know whether there is one. */
export const WORKFLOWS_SCRIPT = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'lost'} end
return {'found', unpack(redis.call('SRANDMEMBER', KEYS[2], 2))}
`;

/** KEYS: a sorted set by time. ARGV: how many, ms. Takes members whose time has come, and puts them off by that time. */
export const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local members = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, member in ipairs(members) do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), member) end
return members
`;

/**
 * KEYS: event, due, tracks, scope. ARGV: key, workflow, token, version, state, offset, due time, whether a track is to be
 * looked at. Redis may know a newer state that is not in the log yet.
 */
export const RESTORE_SCRIPT = `
local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '-1')
if version >= tonumber(ARGV[4]) then return 0 end
redis.call('HSET', KEYS[1], 'token', ARGV[3], 'version', ARGV[4], 'state', ARGV[5], 'logged', ARGV[6], 'stale', -1)
redis.call('ZADD', KEYS[2], ARGV[7], ARGV[1])
if ARGV[8] == '1' then redis.call('ZADD', KEYS[3], 'NX', 0, ARGV[1]) else redis.call('ZREM', KEYS[3], ARGV[1]) end
redis.call('SADD', KEYS[4], ARGV[2])
return 1
`;
