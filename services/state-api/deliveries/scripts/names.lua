-- Returns the name of each delivery's signal, '' when it does not wait.
-- keys: items
-- arguments: ids...

local names = {}
for at = idsFrom, #ARGV do
  local item = redis.call('HGET', items, ARGV[at])
  local name = ''
  if item and string.sub(item, 1, 9) == '{"batch":' then name = 'batch'
  elseif item then name = string.match(item, '^{"id":"[^"]*","signal":"([%w_]+)"') or cjson.decode(item).signal end
  names[#names + 1] = name
end
return names
