-- Part: puts records for the delivery log into the outbox. Above maxOutboxBytes, records lose their payload: the log
-- may be unavailable for a long time.
-- requires: fence.lua
-- arguments: maxOutboxBytes

local function outboxBytes() return numberOf(position, 'outboxBytes') end
-- A quote inside a text is escaped with a backslash, so this match is never inside a text. The body is the last member.
local function withoutPayload(text)
  local _, from = string.find(text, ',"state":"', 1, true)
  local to = from and string.find(text, '","emitReason":', from + 1, true)
  if to then return string.sub(text, 1, from) .. string.sub(text, to) end
  _, from = string.find(text, ',"body":"', 1, true)
  return from and string.sub(text, 1, from) .. '"}}' or text
end
local function push(text)
  if outboxBytes() > tonumber(maxOutboxBytes) then text = withoutPayload(text) end
  redis.call('RPUSH', outbox, text)
  count(position, 'outboxBytes', #text)
end
