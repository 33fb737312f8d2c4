-- Writes the fields of a track's header that are newer than the stored ones, and returns the entry. A stored value has
-- its version, a colon and the value. An entry of another data source's track is replaced.
-- keys: header
-- arguments: ttlSeconds source fields...
--
-- fields: name, version and value of each.

local known = redis.call('HGET', header, 'dataSourceId')
if known and string.match(known, ':(.*)$') ~= source then redis.call('DEL', header) end
for at = fieldsFrom, #ARGV, 3 do
  local name, version, value = unpack(ARGV, at, at + 2)
  local stored = redis.call('HGET', header, name)
  if not stored or tonumber(string.match(stored, '^[^:]*')) < tonumber(version) then
    redis.call('HSET', header, name, version .. ':' .. value)
  end
end
redis.call('EXPIRE', header, ttlSeconds)
return redis.call('HGETALL', header)
