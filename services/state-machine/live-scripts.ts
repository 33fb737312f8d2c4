// Scripts that Redis runs in one step. An older owner cannot overwrite a newer one: the stored position must be the one
// that this owner left there.

/**
 * How many entries the four hashes hold, as text: Redis may have lost one of them alone. `held` in the position says how many
 * the save before left there. It counts only for the `saves` that it begins with, because an earlier version writes none.
 */
const HELD = `
local position = KEYS[1]
local function held(saves)
  local lengths = {saves}
  for key = 2, 5 do lengths[key] = redis.call('HLEN', KEYS[key]) end
  return table.concat(lengths, '/')
end
local function lacks()
  local known, saves = unpack(redis.call('HMGET', position, 'held', 'saves'))
  return known and saves and string.match(known, '^%d+') == saves and known ~= held(saves)
end
`;

/**
 * ARGV: expected, next, owner, how many numbers and texts follow for the position: its other fields and their values;
 * then what a script needs besides.
 */
const FENCE = `${HELD}
local text = redis.call('HGET', position, 'next')
local stored = tonumber(text or '-1')
local expected = tonumber(ARGV[1])
if stored > expected then
  if ARGV[2] == text and redis.call('HGET', position, 'owner') == ARGV[3] then return 'saved' end
  return 'overtaken'
end
local rest = 5 + tonumber(ARGV[4])
`;

const SAVED = `
redis.call('HSET', position, 'next', ARGV[2], 'owner', ARGV[3], 'savedAt', redis.call('TIME')[1], unpack(ARGV, 5, rest - 1))
redis.call('HSET', position, 'held', held(redis.call('HINCRBY', position, 'saves', 1)))
return 'saved'
`;

/** KEYS: position, tracks, sources, zones, past. Per kind: number of fields and values, these; the same for deletions. */
export const SAVE_SCRIPT = `${FENCE}
if stored < expected or lacks() then return 'lost' end
local at = rest
for key = 2, 5 do
  for _, command in ipairs({'HSET', 'HDEL'}) do
    local count = tonumber(ARGV[at])
    at = at + 1
    for first = at, at + count - 1, 1000 do
      redis.call(command, KEYS[key], unpack(ARGV, first, math.min(first + 999, at + count - 1)))
    end
    at = at + count
  end
end
${SAVED}`;

/**
 * KEYS: position, tracks, sources, zones, past, these four as staged; ARGV: how many each must hold. Staged texts may be
 * gone or incomplete, because Redis was flushed meanwhile: then they must not replace anything.
 */
export const REPLACE_SCRIPT = `${FENCE}
for kind = 1, 4 do
  if redis.call('HLEN', KEYS[5 + kind]) ~= tonumber(ARGV[rest - 1 + kind]) then return 'lost' end
end
for kind = 1, 4 do
  redis.call('UNLINK', KEYS[1 + kind])
  if tonumber(ARGV[rest - 1 + kind]) > 0 then
    redis.call('RENAME', KEYS[5 + kind], KEYS[1 + kind])
    redis.call('PERSIST', KEYS[1 + kind])
  end
end
${SAVED}`;

/**
 * KEYS: position, tracks, sources, zones, past. Returns next, saves (it changes with every save, not with a claim) and geofences,
 * and whether hashes lack entries.
 */
export const STAMP_SCRIPT = `${HELD}
local stamp = redis.call('HMGET', position, 'next', 'saves', 'geofences')
stamp[4] = lacks() and 1 or 0
return stamp
`;

export const CLAIM_SCRIPT = `
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'savedAt', redis.call('TIME')[1])
return 1
`;

export const STAY_SCRIPT = `
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'savedAt', redis.call('TIME')[1])
end
return 1
`;

export const RELEASE_SCRIPT = `
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then redis.call('HSET', KEYS[1], 'released', ARGV[1]) end
return 1
`;

export const IS_FREE_SCRIPT = `
local owner = redis.call('HGET', KEYS[1], 'owner')
if not owner or redis.call('HGET', KEYS[1], 'released') == owner then return 1 end
local savedAt = tonumber(redis.call('HGET', KEYS[1], 'savedAt') or '0')
return tonumber(redis.call('TIME')[1]) - savedAt > tonumber(ARGV[1]) and 1 or 0
`;
