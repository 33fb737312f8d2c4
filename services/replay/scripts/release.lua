-- Releases the claim, so that another process can continue at once.
-- requires: if-owned.lua

redis.call('HDEL', session, 'owner', 'until')
return 1
