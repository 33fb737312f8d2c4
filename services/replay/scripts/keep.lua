-- Keeps signals of the session for callers to look at: the newest ones within the bounds, and only for the newest
-- sessions of the token. A signal that the run before this one has kept is not added again.
-- requires: if-owned.lua
-- keys: session signals shown
-- arguments: version createdAt signalsPrefix maxSessions maxSignals maxBytes keepMs added...
--
-- signals: a stream. The id of an entry begins with the number of its signal; `upTo` is the size of all signals up to
-- it.
-- shown: the sessions of the token that have a stream, or had one. added: numbers and texts of signals in turn.

redis.call('ZADD', shown, createdAt, version)
redis.call('PEXPIRE', shown, keepMs)
-- A stream goes with its session, or expires, and leaves its version in the set.
if redis.call('ZCARD', shown) > tonumber(maxSessions) then
  for _, each in ipairs(redis.call('ZRANGE', shown, 0, -1)) do
    if each ~= version and redis.call('EXISTS', signalsPrefix .. each) == 0 then redis.call('ZREM', shown, each) end
  end
end
local surplus = redis.call('ZCARD', shown) - maxSessions
local popped = surplus > 0 and redis.call('ZPOPMIN', shown, surplus) or {}
for at = 1, #popped, 2 do redis.call('DEL', signalsPrefix .. popped[at]) end
if not redis.call('ZSCORE', shown, version) then return 1 end

local newest = redis.call('XREVRANGE', signals, '+', '-', 'COUNT', 1)[1]
local number = newest and tonumber(string.match(newest[1], '%d+')) or 0
local upTo = newest and tonumber(newest[2][2]) or 0
for at = addedFrom, #ARGV, 2 do
  if tonumber(ARGV[at]) > number then
    upTo = upTo + #ARGV[at + 1]
    redis.call('XADD', signals, 'MAXLEN', maxSignals, ARGV[at] .. '-0', 'upTo', upTo, 'signal', ARGV[at + 1])
  end
end
local function oldest() return redis.call('XRANGE', signals, '-', '+', 'COUNT', 1)[1] end
local first = oldest()
while first and upTo - first[2][2] + #first[2][4] > tonumber(maxBytes) do
  redis.call('XDEL', signals, first[1])
  first = oldest()
end
redis.call('PEXPIRE', signals, keepMs)
return 1
