-- Makes `owner` the owner of the partition: scripts of earlier owners write nothing from now on. Returns the stored
-- position and its log id.
-- keys: position
-- arguments: owner

redis.call('HSET', position, 'owner', owner)
local stored = redis.call('HMGET', position, 'next', 'logId')
return {'ok', stored[1] or '', stored[2] or ''}
