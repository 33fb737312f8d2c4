/**
 * Has the browser ask before the page is closed or loaded again, while something on it is not saved. Nothing listens
 * otherwise: a listener alone keeps a page out of the cache that makes going back quick.
 */
export function createLeaveQuestion(page: EventTarget): { need(isNeeded: boolean): void } {
  const ask = (event: Event) => event.preventDefault();
  return {
    need: (isNeeded) => {
      // The same listener counts once, however often it is added.
      if (isNeeded) page.addEventListener("beforeunload", ask);
      else page.removeEventListener("beforeunload", ask);
    },
  };
}
