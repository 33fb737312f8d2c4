-- Returns the id and the request of each requested delivery, without the payload.
-- keys: express

local found = {}
for _, id in ipairs(redis.call('HKEYS', express)) do
  local text = redis.call('HGET', express, id)
  -- The body is the last member. A quote inside a text is escaped with a backslash, so this match is never inside a
  -- text.
  local _, at = string.find(text, ',"body":"', 1, true)
  found[#found + 1] = id
  found[#found + 1] = at and string.sub(text, 1, at) .. '"}}' or text
end
return found
