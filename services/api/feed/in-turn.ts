/**
 * Runs the work now, or after the work that is under way.
 * @returns undefined when the work was done without a wait.
 */
export type InTurn = (work: () => Promise<void> | undefined) => Promise<void> | undefined;

export function createInTurn(): InTurn {
  let busy: Promise<void> | undefined;
  const inTurn: InTurn = (work) => {
    // The work tries again instead of running: work that waited longer may have begun.
    if (busy !== undefined) return busy.then(() => inTurn(work));
    const working = work();
    if (working === undefined) return undefined;
    busy = working.finally(() => {
      busy = undefined;
    });
    return busy;
  };
  return inTurn;
}
