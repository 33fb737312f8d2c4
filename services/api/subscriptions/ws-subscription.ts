// A subscription of a WebSocket that has begun.
import type { AppError } from "../../../schemas/errors.ts";
import type { EndReason, FeedPayload, Sink, Subscriber } from "../feed/subscriber.ts";
import { closeCodes } from "./ws-messages.ts";
import { SLOW_CLOSE_GRACE_MS, type Wire } from "./ws-wire.ts";

/** The connection of the subscription. */
interface SubscribedPeer {
  readonly wire: Wire;
  close(code: number, reason: string, graceMs?: number): void;
}

const AFTER = Buffer.from("}");

/** A subscription that has begun: what the feed writes to, and what the connection stops. */
export class FollowingSubscription implements Sink {
  readonly sized: SizedSubscription;
  subscriber: Subscriber | undefined;
  readonly #peer: SubscribedPeer;
  readonly #before: Buffer;
  readonly #owner: SubscriptionOwner;

  constructor(owner: SubscriptionOwner, peer: SubscribedPeer, sized: SizedSubscription) {
    this.#owner = owner;
    this.sized = sized;
    this.#peer = peer;
    this.#before = Buffer.from(`{"id":${JSON.stringify(sized.id)},"type":"next","payload":`);
  }

  congested(): boolean {
    return this.#peer.wire.congested();
  }

  write({ body }: FeedPayload): void {
    this.#peer.wire.write(this.#before, body, AFTER);
  }

  end(reason: EndReason, error: AppError): void {
    this.#owner.refuseFor(this.sized.id, error);
    if (reason === "slow" && this.congested()) {
      this.#peer.close(closeCodes.tooSlow, "Too slow: resume with the last cursor", SLOW_CLOSE_GRACE_MS);
    }
  }

  flush(): void {
    this.subscriber?.flush();
  }

  stop(): void {
    this.subscriber?.stop();
  }
}

interface SubscriptionOwner {
  /** Ends the subscription with the error. */
  refuseFor(id: string, error: unknown): void;
}

interface SizedSubscription {
  readonly id: string;
  /** Size of its text. */
  readonly bytes: number;
  readonly tokenId: string;
}
