-- Drops signals until the partition's queues hold no more than budgetBytes. Returns '1' when it must be called again.
-- requires: parts/evict.lua
-- arguments: now budgetBytes

return {'ok', evict(tonumber(budgetBytes), now)}
