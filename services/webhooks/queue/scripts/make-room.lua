-- Drops signals until the partition's queues hold no more than roomBytes. Returns '1' when it must be called again.
-- requires: parts/make-room.lua
-- arguments: now roomBytes

return {'ok', makeRoom(tonumber(roomBytes), now)}
