-- Part: a function that fails.

local nothing
local function fail(field)
  return nothing[field]
end
