-- Drops the entries that the log has, if the first of them is still there: a repeated call must not drop more.
-- requires: parts/fence.lua
-- arguments: entries first

if redis.call('LINDEX', outbox, 0) == first then
  local bytes = 0
  for _, entry in ipairs(redis.call('LRANGE', outbox, 0, tonumber(entries) - 1)) do bytes = bytes + #entry end
  redis.call('LTRIM', outbox, entries, -1)
  count(position, 'outboxBytes', -bytes)
end
return {'ok'}
