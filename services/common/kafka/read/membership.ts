// The group's view of this member: the time of the last sign of life, and whether the group admits this member at all.
import type { Admin, Consumer } from "kafkajs";
import { disagreement, isDisagreement } from "./agreement.ts";

export interface MembershipOptions {
  readonly admin: Admin;
  readonly groupId: string;
  readonly agreement: string | undefined;
  readonly sessionTimeoutMs: number;
}

export type Membership = ReturnType<typeof createMembership>;

/** Requests with which the session time-out starts again. */
const RENEWALS: ReadonlySet<string> = new Set(["SyncGroup", "Heartbeat"]);
/** Time for the broker to notice that the session of a dead member has ended. */
export const DISAGREEMENT_GRACE_MS = 3_000;

interface Moment {
  readonly wallMs: number;
  readonly elapsedMs: number;
}

/** Returns the time by two clocks; kafkajs gives it by the wall clock only. */
const momentOf = (wallMs: number): Moment => ({
  wallMs,
  elapsedMs: performance.now() - Math.max(0, Date.now() - wallMs),
});

export function createMembership({ admin, groupId, agreement, sessionTimeoutMs }: MembershipOptions) {
  /**
   * Time of the last request that the group took as a sign of life, by two clocks. With a wall clock that was set back,
   * a member would seem alive after the group has given it up; the other clock may stop while the machine sleeps.
   */
  let lastRenewalAt: Moment = { wallMs: 0, elapsedMs: Number.NEGATIVE_INFINITY };
  let disagreesSince: number | undefined;
  let refusal: Error | undefined;

  /**
   * Refuses the text only when the disagreement outlasts the session of a dead member, which counts until its session
   * has ended.
   */
  async function recordRefusal(text: string): Promise<void> {
    disagreesSince ??= performance.now();
    if (performance.now() - disagreesSince < sessionTimeoutMs + DISAGREEMENT_GRACE_MS) return;
    refusal ??= await disagreement(admin, groupId, text);
  }

  return {
    /** Must be called before the consumer connects. */
    watch(consumer: Consumer): void {
      // The time of sending counts, not that of handling the answer: a process that hangs handles it late.
      let sentAt: Moment = lastRenewalAt;
      consumer.on(consumer.events.REQUEST, ({ payload }) => {
        if (RENEWALS.has(payload.apiName)) sentAt = momentOf(payload.sentAt);
      });
      consumer.on(consumer.events.HEARTBEAT, () => {
        lastRenewalAt = sentAt;
      });
      consumer.on(consumer.events.GROUP_JOIN, () => {
        lastRenewalAt = sentAt;
        disagreesSince = undefined;
      });
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (agreement !== undefined && isDisagreement(payload.error)) void recordRefusal(agreement);
      });
    },

    /** @returns false when the group may have given our partitions to others without our knowledge. */
    isAlive: (): boolean =>
      Date.now() - lastRenewalAt.wallMs < sessionTimeoutMs &&
      performance.now() - lastRenewalAt.elapsedMs < sessionTimeoutMs,

    /** Returns the reason why the group does not admit us, even after the sessions of dead members have ended. */
    refusal: (): Error | undefined => refusal,
  };
}
