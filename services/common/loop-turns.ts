// Turns of the event loop for long work of many callers, so that all of it together never holds the loop for longer
// than one slice.

export interface LoopTurns {
  /** Resolves in a turn of the event loop that no other caller has. */
  next(): Promise<void>;
}

export function createLoopTurns(): LoopTurns {
  const waiting: (() => void)[] = [];
  let first = 0;
  let isScheduled = false;

  function give(): void {
    waiting[first++]?.();
    isScheduled = first < waiting.length;
    if (isScheduled) setImmediate(give);
    else waiting.length = first = 0;
  }

  return {
    next() {
      if (!isScheduled) setImmediate(give);
      isScheduled = true;
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/**
 * Must be called between the steps of long work. `work` is the work done since the last call.
 * @returns undefined when the caller may continue, otherwise a promise that it must await first.
 */
export type TurnPace = (work: number) => Promise<void> | undefined;

export function createTurnPace(turns: LoopTurns, workPerTurn: number): TurnPace {
  let done = 0;
  return (work) => {
    done += work;
    if (done <= workPerTurn) return undefined;
    done = 0;
    return turns.next();
  };
}
