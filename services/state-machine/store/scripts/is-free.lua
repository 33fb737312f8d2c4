-- Returns 1 when no owner is at work: none is known, it has let go, or it has recorded nothing for some seconds.
-- keys: position
-- arguments: goneAfterSeconds

local owner = redis.call('HGET', position, 'owner')
if not owner or redis.call('HGET', position, 'released') == owner then return 1 end
local savedAt = tonumber(redis.call('HGET', position, 'savedAt') or '0')
return tonumber(redis.call('TIME')[1]) - savedAt > tonumber(goneAfterSeconds) and 1 or 0
