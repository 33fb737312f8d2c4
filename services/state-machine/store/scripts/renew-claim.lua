-- Records that the owner is still at work, unless another one has claimed the partition.
-- keys: position
-- arguments: owner

if redis.call('HGET', position, 'owner') == owner then
  redis.call('HSET', position, 'savedAt', redis.call('TIME')[1])
end
return 1
