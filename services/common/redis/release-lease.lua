-- Deletes the lease only if it is still the caller's.
-- keys: lease
-- arguments: token

if redis.call('GET', lease) == token then return redis.call('DEL', lease) end
return 0
