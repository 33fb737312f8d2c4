-- requires: part.lua
-- arguments: field

-- Fails in the part or, with "own" as the field, here.
if field == 'own' then return nothing[field] end
return fail(field)
