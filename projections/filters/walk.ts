/** Visits each item as it was at the call, with pauses if they are many. `tests`: those that one visit takes, at most. */
export type Walk = <T>(items: Iterable<T>, tests: number, visit: (item: T) => void) => Promise<void>;
