import { withTimeout } from "../../common/with-timeout.ts";

/** Asks a store for something small; resolves with its version, if it tells it. */
export type StoreProbes = Readonly<Record<string, () => Promise<string | undefined>>>;

export interface StoreState {
  readonly name: string;
  readonly version: string | undefined;
  /** Undefined when the store did not answer in time. */
  readonly answerMs: number | undefined;
}

const ANSWER_WITHIN_MS = 2_000;

export const statesOf = (probes: StoreProbes): Promise<StoreState[]> =>
  Promise.all(
    Object.entries(probes).map(async ([name, ask]) => {
      const since = performance.now();
      try {
        const version = await withTimeout(ask(), ANSWER_WITHIN_MS);
        return { name, version, answerMs: performance.now() - since };
      } catch {
        return { name, version: undefined, answerMs: undefined };
      }
    }),
  );
