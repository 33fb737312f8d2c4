-- Recounts the events that began with each token: an earlier version of state-api removes events without reducing the
-- count.
-- keys: due tokens
-- arguments: prefix

local counts = {}
for _, member in ipairs(redis.call('ZRANGE', due, 0, -1)) do
  local by = redis.call('HGET', prefix .. member, 'by')
  if by then counts[by] = (counts[by] or 0) + 1 end
end
redis.call('DEL', tokens)
for by, count in pairs(counts) do redis.call('HSET', tokens, by, count) end
return 'counted'
