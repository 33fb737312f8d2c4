-- Records that the owner writes no more.
-- keys: position
-- arguments: owner

if redis.call('HGET', position, 'owner') == owner then redis.call('HSET', position, 'released', owner) end
return 1
