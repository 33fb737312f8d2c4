// Scripts of Redis for what is asked of the queues.
import { FULL_OUTBOX_BYTES } from "../../../projections/deliveries/outbox-bounds.ts";

/**
 * KEYS: express, asked, position. ARGV: id, what is asked, queue, the most of a queue (number, bytes) and of a partition
 * (bytes), channel, notice. The bytes have a bound because what ended brings its body along. Each attempt is told to the
 * delivery log, so nothing begins that the log would have to be told beyond its bound.
 */
export const ASK_SCRIPT = `
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  local untold = tonumber(redis.call('HGET', KEYS[3], 'outboxBytes') or '0')
  if untold > ${FULL_OUTBOX_BYTES} then return 'log behind' end
  local ids, bytes = redis.call('HKEYS', KEYS[1]), #ARGV[2]
  for _, id in ipairs(ids) do bytes = bytes + redis.call('HSTRLEN', KEYS[1], id) end
  if #ids >= tonumber(ARGV[4]) or (#ids > 0 and bytes > tonumber(ARGV[5])) then return 'full' end
  local held = tonumber(redis.call('HGET', KEYS[3], 'askedBytes') or '0')
  if held + #ARGV[2] > tonumber(ARGV[6]) then return 'all full' end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  redis.call('HINCRBY', KEYS[3], 'askedBytes', #ARGV[2])
end
redis.call('SADD', KEYS[2], ARGV[3])
redis.call('PUBLISH', ARGV[7], ARGV[8])
return 'asked'`;

/** KEYS: express. Returns id and what is asked of each, without what was sent. */
export const ASKED_SCRIPT = `
local found = {}
for _, id in ipairs(redis.call('HKEYS', KEYS[1])) do
  local text = redis.call('HGET', KEYS[1], id)
  -- The body is last. A quote within a text has a backslash before it, so these words are found nowhere else.
  local _, at = string.find(text, ',"body":"', 1, true)
  found[#found + 1] = id
  found[#found + 1] = at and string.sub(text, 1, at) .. '"}}' or text
end
return found`;

/** KEYS: items. ARGV: ids. Returns the name of each one's signal, '' = it does not wait. */
export const NAMES_SCRIPT = `
local names = {}
for i, id in ipairs(ARGV) do
  local item = redis.call('HGET', KEYS[1], id)
  if not item then names[i] = ''
  elseif string.sub(item, 1, 9) == '{"batch":' then names[i] = 'batch'
  else names[i] = string.match(item, '^{"id":"[^"]*","signal":"([%w_]+)"') or cjson.decode(item).signal end
end
return names`;
