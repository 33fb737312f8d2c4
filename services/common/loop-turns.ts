// Turns of the event loop for long work of many callers, so that all of it together never holds the loop for longer than
// one slice.

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

/** undefined = go on at once; else when the promise resolves. `work`: what was done since the last call. */
export type Pace = (work: number) => Promise<void> | undefined;

export function createPace(turns: LoopTurns, workPerTurn: number): Pace {
  let done = 0;
  return (work) => {
    done += work;
    if (done <= workPerTurn) return undefined;
    done = 0;
    return turns.next();
  };
}
