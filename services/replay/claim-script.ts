// Which open sessions a process takes up, and which of its paused ones give their places back, in one script of Redis.

export const NOW = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)`;

// Gives back as few places as let one more session of the token in, its own ones first, and none if all would not do.
// Tokens that failed once are not tried again: nothing becomes free for them in this round.
const GIVE_BACK = `
local paused, given_back, failed = cjson.decode(ARGV[6]), {}, {}
local function choose(token)
  local chosen, left, own = {}, free, token ~= '' and held[token] or 0
  for _, is_own in ipairs({ true, false }) do
    for _, each in ipairs(paused) do
      if left > own then return chosen end
      if not each.chosen and (each.tokenId == token) == is_own then
        chosen[#chosen + 1] = each
        left = left + 1
        if is_own and token ~= '' then own = own - 1 end
      end
    end
  end
  return left > own and chosen or nil
end
local function give_back(token)
  local chosen = choose(token)
  if not chosen then
    failed[token] = true
    return
  end
  for _, each in ipairs(chosen) do
    each.chosen = true
    given_back[#given_back + 1] = each.id
    free = free + 1
    held[each.tokenId] = held[each.tokenId] - 1
  end
  free = free - 1
  held[token] = (held[token] or 0) + 1
end`;

// KEYS: open. ARGV: prefix of sessions, owner, lease, free, held, paused, then the lapsed tokens.
export const CLAIM = `${NOW}
local lapsed = {}
for i = 7, #ARGV do lapsed[ARGV[i]] = true end
local free = tonumber(ARGV[4])
local held = cjson.decode(ARGV[5])
local claimed, refused = {}, {}
local open = redis.call('HGETALL', KEYS[1])
local function has_room(token)
  if token == '' then return free > 0 end
  return free > (held[token] or 0)
end
for i = 1, #open, 2 do
  local key, token = ARGV[1] .. open[i], open[i + 1]
  local known = redis.call('HMGET', key, 'version', 'until', 'granted', 'stepped', 'idleUntil')
  local waits = known[4] and tonumber(known[3]) <= tonumber(known[4])
  local idle = waits and tonumber(known[5]) <= now
  local ends = idle or lapsed[token]
  if not known[1] then
    redis.call('HDEL', KEYS[1], open[i])
  elseif tonumber(known[2] or '0') <= now and (ends or not waits) then
    if ends or has_room(token) then
      redis.call('HSET', key, 'owner', ARGV[2], 'until', now + ARGV[3])
      if not ends then
        free = free - 1
        held[token] = (held[token] or 0) + 1
      end
      claimed[#claimed + 1] = { open[i], token, idle and 1 or 0, redis.call('HGETALL', key) }
    else
      refused[#refused + 1] = token
    end
  end
end${GIVE_BACK}
for _, token in ipairs(refused) do
  if not failed[token] then give_back(token) end
end
return { claimed, given_back }`;
