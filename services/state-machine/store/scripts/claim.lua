-- Makes `owner` the owner of the partition, and records that it is at work.
-- keys: position
-- arguments: owner

redis.call('HSET', position, 'owner', owner, 'savedAt', redis.call('TIME')[1])
return 1
