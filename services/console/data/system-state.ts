// The state of the system as operators see it: the answer of the API, and the rates between two answers.

export interface SystemState {
  readonly version: string;
  readonly readers: readonly SystemReaders[];
  readonly topics: readonly SystemTopic[];
  readonly stores: readonly SystemStore[];
}

export interface SystemReaders {
  readonly name: string;
  readonly processes: readonly { readonly id: string; readonly host: string; readonly partitions: number }[];
  readonly lags: readonly { readonly topic: string; readonly messages: number }[];
}

export interface SystemTopic {
  readonly name: string;
  readonly partitions: number;
  readonly written: number;
  readonly kept: number;
}

export interface SystemStore {
  readonly name: string;
  readonly version: string | null;
  readonly answerMs: number | null;
}

export interface ShownDeadLetter {
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly recordedAt: string;
  readonly reason: string;
  readonly bytes: number | null;
  readonly redrivenAt: string | null;
}

export const SYSTEM = /* GraphQL */ `
  query System {
    system {
      version
      readers { name processes { id host partitions } lags { topic messages } }
      topics { name partitions written kept }
      stores { name version answerMs }
    }
  }
`;

export const DEAD_LETTERS = /* GraphQL */ `
  query DeadLetters {
    system { deadLetters { id topic partition offset recordedAt reason bytes redrivenAt } }
  }
`;

/** Counts of one moment. `at` is in milliseconds, of any clock that never goes back. */
export interface Counted {
  readonly at: number;
  readonly written: ReadonlyMap<string, number>;
}

export const countedOf = (topics: readonly SystemTopic[], at: number): Counted => ({
  at,
  written: new Map(topics.map(({ name, written }) => [name, written])),
});

/**
 * @returns messages per second between two counts; undefined when the topic is new, or was replaced in between.
 */
export function rateOf(topic: string, before: Counted | undefined, after: Counted): number | undefined {
  const [from, to] = [before?.written.get(topic), after.written.get(topic)];
  if (before === undefined || from === undefined || to === undefined || to < from) return undefined;
  return after.at === before.at ? undefined : ((to - from) * 1_000) / (after.at - before.at);
}

/** Messages that the readers have not yet done, all topics together. */
export const lagOf = ({ lags }: SystemReaders): number => lags.reduce((sum, { messages }) => sum + messages, 0);
