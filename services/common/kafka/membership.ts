// The group's view of this member: when it last heard from us, and whether it admits us at all.
import type { Admin, Consumer } from "kafkajs";
import { disagreement, isDisagreement } from "./agreement.ts";

export interface MembershipOptions {
  readonly admin: Admin;
  readonly groupId: string;
  readonly agreement: string | undefined;
  readonly sessionTimeoutMs: number;
}

export type Membership = ReturnType<typeof createMembership>;

/** The requests with which the session time-out begins anew. */
const RENEWALS: ReadonlySet<string> = new Set(["SyncGroup", "Heartbeat"]);
/** Time for the broker to notice that the session of a dead member has ended. */
export const DISAGREEMENT_GRACE_MS = 3_000;

interface Moment {
  readonly wallMs: number;
  readonly elapsedMs: number;
}

/** kafkajs knows the wall clock only. */
const momentOf = (wallMs: number): Moment => ({
  wallMs,
  elapsedMs: performance.now() - Math.max(0, Date.now() - wallMs),
});

export function createMembership({ admin, groupId, agreement, sessionTimeoutMs }: MembershipOptions) {
  /**
   * When the last request was sent that the group took as a sign of life. By two clocks: one that is set back would keep a member
   * alive that the group has given up, and the other may stop while the machine sleeps.
   */
  let heardAt: Moment = { wallMs: 0, elapsedMs: Number.NEGATIVE_INFINITY };
  let disagreesSince: number | undefined;
  let refusal: Error | undefined;

  /** A member that died silently still counts until its session has ended. */
  async function judge(text: string): Promise<void> {
    disagreesSince ??= performance.now();
    if (performance.now() - disagreesSince < sessionTimeoutMs + DISAGREEMENT_GRACE_MS) return;
    refusal ??= await disagreement(admin, groupId, text);
  }

  return {
    /** To be called before the consumer connects. */
    watch(consumer: Consumer): void {
      // The time of sending, not of handling the answer: a process that hangs handles it late.
      let sentAt: Moment = heardAt;
      consumer.on(consumer.events.REQUEST, ({ payload }) => {
        if (RENEWALS.has(payload.apiName)) sentAt = momentOf(payload.sentAt);
      });
      consumer.on(consumer.events.HEARTBEAT, () => {
        heardAt = sentAt;
      });
      consumer.on(consumer.events.GROUP_JOIN, () => {
        heardAt = sentAt;
        disagreesSince = undefined;
      });
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (agreement !== undefined && isDisagreement(payload.error)) void judge(agreement);
      });
    },

    /** False when the group may have given our partitions to others without our knowing. */
    isAlive: (): boolean =>
      Date.now() - heardAt.wallMs < sessionTimeoutMs && performance.now() - heardAt.elapsedMs < sessionTimeoutMs,

    /** The reason why the group will not admit us, even after the sessions of dead members have ended. */
    refusal: (): Error | undefined => refusal,
  };
}
