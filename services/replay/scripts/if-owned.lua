-- Part: ends the script when the claim is not valid any more.
-- keys: session
-- arguments: owner

if redis.call('HGET', session, 'owner') ~= owner then return false end
