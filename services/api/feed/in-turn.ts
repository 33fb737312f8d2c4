/** Does the work at once, or after what is being done: undefined = it is done. */
export type InTurn = (work: () => Promise<void> | undefined) => Promise<void> | undefined;

export function createInTurn(): InTurn {
  let busy: Promise<void> | undefined;
  const inTurn: InTurn = (work) => {
    // Others may have waited longer.
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
