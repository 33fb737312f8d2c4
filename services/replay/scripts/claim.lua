-- Claims the open sessions that a process takes up, and chooses the paused ones that give their places back.
-- requires: ../../common/redis/now.lua
-- keys: open
-- arguments: prefix owner leaseMs freePlaces heldPlaces pausedSessions lapsedTokens...
--
-- prefix: of the keys of sessions. heldPlaces: JSON, the number of places of each token. pausedSessions: JSON.

local lapsed = {}
for at = lapsedTokensFrom, #ARGV do lapsed[ARGV[at]] = true end
local free = tonumber(freePlaces)
local held = cjson.decode(heldPlaces)
local claimed, refused = {}, {}

local function hasPlace(token)
  if token == '' then return free > 0 end
  return free > (held[token] or 0)
end

local function consider(id, token)
  local session = prefix .. id
  local known = redis.call('HMGET', session, 'version', 'until', 'granted', 'stepped', 'idleUntil')
  local waits = known[4] and tonumber(known[3]) <= tonumber(known[4])
  local isIdle = waits and tonumber(known[5]) <= now
  local ends = isIdle or lapsed[token]
  if not known[1] then
    redis.call('HDEL', open, id)
  elseif tonumber(known[2] or '0') <= now and (ends or not waits) then
    if not ends and not hasPlace(token) then
      refused[#refused + 1] = token
      return
    end
    redis.call('HSET', session, 'owner', owner, 'until', now + leaseMs)
    if not ends then
      free = free - 1
      held[token] = (held[token] or 0) + 1
    end
    claimed[#claimed + 1] = {id, token, isIdle and 1 or 0, redis.call('HGETALL', session)}
  end
end

-- Gives back the fewest places that let one more session of the token in, its own sessions first, and none if all would
-- not be enough. Tokens that failed once are not tried again: no place becomes free for them in this round.
local paused, givenBack, failed = cjson.decode(pausedSessions), {}, {}
local function choose(token)
  local chosen, left, own = {}, free, token ~= '' and held[token] or 0
  for _, isOwn in ipairs({true, false}) do
    for _, each in ipairs(paused) do
      if left > own then return chosen end
      if not each.chosen and (each.tokenId == token) == isOwn then
        chosen[#chosen + 1] = each
        left = left + 1
        if isOwn and token ~= '' then own = own - 1 end
      end
    end
  end
  return left > own and chosen or nil
end
local function giveBack(token)
  local chosen = choose(token)
  if not chosen then
    failed[token] = true
    return
  end
  for _, each in ipairs(chosen) do
    each.chosen = true
    givenBack[#givenBack + 1] = each.id
    free = free + 1
    held[each.tokenId] = held[each.tokenId] - 1
  end
  free = free - 1
  held[token] = (held[token] or 0) + 1
end

local sessions = redis.call('HGETALL', open)
for at = 1, #sessions, 2 do consider(sessions[at], sessions[at + 1]) end
for _, token in ipairs(refused) do
  if not failed[token] then giveBack(token) end
end
return {claimed, givenBack}
