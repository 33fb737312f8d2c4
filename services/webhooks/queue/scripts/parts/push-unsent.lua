-- Part: puts the end of a signal that was merged, refused or dropped into the outbox. `at`: ms.
-- requires: push.lua

local function pushUnsent(queueId, status, reason, item, at)
  -- A newer update was sent, so nobody needs the state of this one.
  if status == 'merged' then item = withoutPayload(item) end
  push('{"unsent":{"queueId":' .. cjson.encode(queueId) .. ',"status":"' .. status ..
    '","reason":' .. reason .. ',"at":' .. at .. ',"item":' .. item .. '}}')
end
