// The parts of a queue share the keys of the partition, and the check of the scripts' replies.
import { OUTBOX_BYTES } from "../../../projections/webhooks/deliveries/outbox-bounds.ts";
import { deliveryKeys } from "../../../schemas/redis-keys.ts";
import { NotOwner } from "../../common/partitions/not-owner.ts";
import type { RedisClient } from "../../common/redis/client.ts";

export interface FencedOptions {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly partition: number;
  /** Id that is new each time a process takes the partition over. */
  readonly owner: string;
}

export type Fenced = ReturnType<typeof createFenced>;

export function createFenced({ redis, namespace, partition, owner }: FencedOptions) {
  const keys = deliveryKeys(namespace, partition);
  return {
    redis,
    keys,
    /** Arguments that all scripts take, and two that several take. */
    fence: { position: keys.position, owner, base: keys.base, maxOutboxBytes: OUTBOX_BYTES },
    /** Resolves with what the script found. Rejects with NotOwner when it has written nothing. */
    async found(reply: Promise<readonly (string | null)[]>): Promise<readonly string[]> {
      const [status, ...found] = await reply;
      if (status !== OK) throw new NotOwner(`${status}: partition ${partition}`);
      return found.map((each) => each ?? "");
    },
  };
}

const OK = "ok";
