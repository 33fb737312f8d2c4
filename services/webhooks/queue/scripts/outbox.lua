-- Returns the oldest entries of the outbox: at least one, and no more than fit into maxBytes.
-- requires: parts/fence.lua
-- arguments: maxEntries maxBytes

local found, bytes = {'ok'}, 0
for at = 0, tonumber(maxEntries) - 1 do
  local entry = redis.call('LINDEX', outbox, at)
  if not entry then break end
  bytes = bytes + #entry
  if at > 0 and bytes > tonumber(maxBytes) then break end
  found[#found + 1] = entry
end
return found
