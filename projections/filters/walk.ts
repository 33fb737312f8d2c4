/**
 * Visits each item, with pauses when there are many. Items that are added after the call are not visited. `tests` is
 * the maximum number of tests that one visit runs.
 */
export type Walk = <T>(items: Iterable<T>, tests: number, visit: (item: T) => void) => Promise<void>;
