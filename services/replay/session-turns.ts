// When a session may go on: at the time of its next signal, or as soon as a caller steps or resumes it.
import { createReplayPace, type Pace, type ReplayMoment } from "../../projections/replay/pace.ts";
import { SessionFailed, SessionLost } from "../recorded/failed.ts";
import type { Control } from "./control.ts";
import type { RunProgress } from "./run-progress.ts";

export interface SessionTurnsDeps {
  readonly control: Control;
  readonly progress: Pick<RunProgress, "steps" | "stepped" | "unstepped">;
  /** Milliseconds after which a session ends that nobody steps or resumes. */
  readonly idleMs: number;
  /** Resolves when it is recorded that the session waits for a caller. */
  readonly pause: () => Promise<void>;
  /** Resolves when it is recorded that it waits no more. */
  readonly goOn: () => Promise<void>;
}

export interface SessionTurns {
  /** Must be called as those of a Pace. */
  reach(moment: ReplayMoment): void;
  restart(): void;
  /** Resolves when the next detection has its turn. This and the next one reject when the session must not go on. */
  beforeStep(): Promise<void>;
  /** Resolves when signals have their turn that are due at `at`, ms of event time. */
  beforeDelivery(at: number): Promise<void>;
}

export function createSessionTurns({ control, progress, idleMs, pause, goOn }: SessionTurnsDeps): SessionTurns {
  let pace: Pace | undefined;
  let pacedAt: number | null = null;

  /** A session that is held goes by its steps alone. After a change of its speed the next signal is due at once. */
  function presentPace(): Pace {
    const { isHeld, speed } = control.steering();
    const factor = isHeld ? null : speed;
    if (pace === undefined || factor !== pacedAt) pace = createReplayPace(factor);
    pacedAt = factor;
    return pace;
  }

  async function untilFree(isGranted: () => boolean): Promise<void> {
    const isFree = () => !control.steering().isHeld || isGranted();
    if (isFree()) return;
    await pause();
    // Steps that were requested before the pause was recorded count now.
    await control.renew();
    await untilAsked(isFree, control, idleMs);
    // The time of the pause does not count: otherwise all signals that fell due in it would go out together.
    pace = undefined;
    await goOn();
  }

  const isNextGranted = () => progress.steps < control.steering().granted;
  const isPresentGranted = () => progress.steps <= control.steering().granted;

  /** The signals of a granted step are granted with it. A detection that waits for its time is the next step again. */
  async function untilPresentFree(): Promise<void> {
    if (!control.steering().isHeld || isPresentGranted()) return;
    const isTakenBack = progress.unstepped();
    await untilFree(isTakenBack ? isNextGranted : isPresentGranted);
    if (isTakenBack) progress.stepped();
  }

  return {
    reach: (moment) => presentPace().reach(moment),
    restart: () => presentPace().restart(),
    beforeStep: () => untilFree(isNextGranted),
    async beforeDelivery(at) {
      for (;;) {
        await untilPresentFree();
        const leftMs = presentPace().wait(at, performance.now());
        if (leftMs <= 0) return;
        await control.changed(leftMs);
        checkSignal(control);
      }
    },
  };
}

async function untilAsked(isFree: () => boolean, control: Control, idleMs: number): Promise<void> {
  const since = performance.now();
  while (!isFree()) {
    const leftMs = idleMs - (performance.now() - since);
    if (leftMs > 0) await control.paused(leftMs);
    // The notice of a step or a resumption may be late, or lost.
    else await control.renew();
    checkSignal(control);
    if (leftMs <= 0 && !isFree()) throw new SessionIdle(idleMs);
  }
}

function checkSignal({ signal }: Control): void {
  if (signal.aborted) throw new SessionLost("stopped");
}

/** Ends a session that has waited for too long, unless a caller has just asked for something. */
export class SessionIdle extends SessionFailed {
  constructor(idleMs: number) {
    super(`nobody asked for a step or resumed it for ${idleMs / 1_000} s`);
  }
}
