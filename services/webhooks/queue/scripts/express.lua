-- Lists the requested deliveries. Returns the id, bytes and number of signals of each.
-- requires: parts/size.lua
-- arguments: queueId

local found, express = {'ok'}, key('express', queueId)
for _, id in ipairs(redis.call('HKEYS', express)) do
  local bytes, signals = sizeOf(queueId, id)
  found[#found + 1] = id
  found[#found + 1] = tostring(redis.call('HSTRLEN', express, id) + bytes)
  found[#found + 1] = tostring(signals)
end
return found
