-- keys: hash
-- arguments: field

return redis.call('HGET', hash, field)
