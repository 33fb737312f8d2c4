// What the delivery log is to be told, and its bound: the log may be away for long. In Lua.
import { OUTBOX_BYTES } from "../../projections/deliveries/outbox-bounds.ts";

/** Needs FENCE. */
export const PUSH = `
local function outbox_bytes() return number_of(KEYS[1], 'outboxBytes') end
-- A quote within a text has a backslash before it, so these words are found nowhere else. A body is the last member.
local function without_payload(text)
  local _, from = string.find(text, ',"state":"', 1, true)
  local to = from and string.find(text, '","emitReason":', from + 1, true)
  if to then return string.sub(text, 1, from) .. string.sub(text, to) end
  _, from = string.find(text, ',"body":"', 1, true)
  return from and string.sub(text, 1, from) .. '"}}' or text
end
local function push(text)
  if outbox_bytes() > ${OUTBOX_BYTES} then text = without_payload(text) end
  redis.call('RPUSH', base .. ':outbox', text)
  count(KEYS[1], 'outboxBytes', #text)
end
`;
