-- Returns next, saves (it changes with every save, not with a claim) and geofences, and whether hashes lack entries.
-- requires: held.lua

local stamp = redis.call('HMGET', position, 'next', 'saves', 'geofences')
stamp[4] = lacks() and 1 or 0
return stamp
