-- Ids of deliveries differ between the generations of a subscription: the order of the table need not name them.
ALTER TABLE webhook_deliveries_v1
    ADD COLUMN IF NOT EXISTS generation DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD) AFTER subscription_id
