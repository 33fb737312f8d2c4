export interface LeaveQuestion {
  /** Says whether something on the page is not saved. */
  need(isNeeded: boolean): void;
  /** Asks before another page of the console takes its place, which the browser does not notice. */
  mayLeave(): boolean;
}

const QUESTION = "Something on this page is not saved. Leave the page and lose it?";

/**
 * Has the browser ask before the page is closed or loaded again, while something on it is not saved. Nothing listens
 * otherwise: a listener alone keeps a page out of the cache that makes going back quick.
 */
export function createLeaveQuestion(
  page: EventTarget,
  asked: (question: string) => boolean = (question) => confirm(question),
): LeaveQuestion {
  let isNeeded = false;
  const ask = (event: Event) => event.preventDefault();
  return {
    need: (isNeededNow) => {
      isNeeded = isNeededNow;
      // The same listener counts once, however often it is added.
      if (isNeeded) page.addEventListener("beforeunload", ask);
      else page.removeEventListener("beforeunload", ask);
    },
    mayLeave: () => !isNeeded || asked(QUESTION),
  };
}
