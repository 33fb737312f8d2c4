-- Part: ends the script when Redis may have lost states of events.
-- keys: marker
-- arguments: markerValue

if redis.call('GET', marker) ~= markerValue then return {'lost'} end
