-- Stores a requested delivery within the limits, and notifies webhooks. The bytes are limited because the request of an
-- ended delivery contains its body. Each attempt adds a record for the delivery log, so no request is stored while the
-- outbox of these records is full.
-- keys: express asked position
-- arguments: id request queueId maxRequests maxBytes maxPartitionBytes fullOutboxBytes channel notice

if redis.call('HEXISTS', express, id) == 0 then
  local outboxBytes = tonumber(redis.call('HGET', position, 'outboxBytes') or '0')
  if outboxBytes > tonumber(fullOutboxBytes) then return 'log behind' end
  local ids, bytes = redis.call('HKEYS', express), #request
  for _, each in ipairs(ids) do bytes = bytes + redis.call('HSTRLEN', express, each) end
  if #ids >= tonumber(maxRequests) or (#ids > 0 and bytes > tonumber(maxBytes)) then return 'full' end
  local held = tonumber(redis.call('HGET', position, 'askedBytes') or '0')
  if held + #request > tonumber(maxPartitionBytes) then return 'all full' end
  redis.call('HSET', express, id, request)
  redis.call('HINCRBY', position, 'askedBytes', #request)
end
redis.call('SADD', asked, queueId)
redis.call('PUBLISH', channel, notice)
return 'asked'
