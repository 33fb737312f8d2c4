// Runs one session from its stored position until its end, and records how it ended.
import { messageOf } from "../../schemas/errors.ts";
import { SessionFailed, SessionLost } from "../recorded/failed.ts";
import { FOR_EVER, whileAway } from "../recorded/while-away.ts";
import type { Control } from "./control.ts";
import { ReplayRun, type RunDeps } from "./replay-run.ts";
import { SessionIdle } from "./session-turns.ts";
import type { Claimed, Ended } from "./store.ts";

/** Resolves when the session has ended, and when this process has lost it. */
export async function runSession(claimed: Claimed, control: Control, deps: RunDeps): Promise<void> {
  const { store, log } = deps;
  const { claim, signal } = control;
  const run = new ReplayRun(claimed, control, deps);
  let ended: Ended;
  try {
    await run.toEnd();
    await run.keepRest();
    ended = { state: "finished", progress: { ...run.progress, share: 1 } };
  } catch (thrown) {
    // Work that the signal interrupts fails in many ways.
    const error = signal.aborted ? signal.reason : thrown;
    await run.keepRest();
    if (claim.aborted || error instanceof SessionLost) return;
    const isExpected = error instanceof SessionFailed;
    if (!isExpected) log.error({ err: error, session: claimed.id }, "replay session failed");
    const reason = isExpected ? messageOf(error) : "the service made a mistake; its log has the cause";
    ended = { state: "failed", reason, progress: run.progress, ifWaiting: error instanceof SessionIdle };
  }
  await whileAway(() => store.end(claimed, ended), { log, signal: claim, mostMs: FOR_EVER }).catch((error) => {
    if (!claim.aborted) throw error;
  });
}
