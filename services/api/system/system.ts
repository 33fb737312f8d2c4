// How the processes and stores of tracklog are, for operators. Thousands of callers cost as much as one a second.

import { AppError } from "../../../schemas/errors.ts";
import { shareCalls } from "../../common/share-calls.ts";
import { withTimeout } from "../../common/with-timeout.ts";
import type { LetterHead } from "../../recorded/letters.ts";
import { type Readers, readersOf } from "./readers.ts";
import { type StoreProbes, type StoreState, statesOf } from "./stores.ts";
import { type TopicState, topicsNow } from "./topics.ts";

export interface System {
  readonly version: string;
  readers(): Promise<readonly Readers[]>;
  topics(): Promise<readonly TopicState[]>;
  stores(): Promise<readonly StoreState[]>;
  deadLetters(): Promise<readonly ShownLetter[]>;
}

/** `topic` is without the prefix of the namespace. */
export interface ShownLetter
  extends Pick<LetterHead, "id" | "topic" | "partition" | "offset" | "recordedAt" | "reason" | "bytes"> {
  /** Undefined while nobody has written the message again. */
  readonly redrivenAt: number | undefined;
}

export interface SystemDeps {
  readonly version: string;
  readonly admin: Parameters<typeof readersOf>[0];
  readonly namespace: string;
  readonly probes: StoreProbes;
  /** Resolves with the newest letters, newest first. */
  readonly newestLetters: () => Promise<readonly ShownLetter[]>;
}

const PAUSE_MS = 1_000;
/** The client of Kafka tries again and again while no broker answers. */
const ANSWER_WITHIN_MS = 5_000;
/** A letter may have a value of a megabyte, and the broker sends it with its head. */
const LETTERS_PAUSE_MS = 10_000;

export function createSystem({ version, admin, namespace, probes, newestLetters }: SystemDeps): System {
  return {
    version,
    readers: shareCalls(() => answered(readersOf(admin, namespace)), PAUSE_MS),
    topics: shareCalls(() => answered(topicsNow(admin, namespace)), PAUSE_MS),
    stores: shareCalls(() => statesOf(probes), PAUSE_MS),
    deadLetters: shareCalls(() => answered(newestLetters()), LETTERS_PAUSE_MS),
  };
}

async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await withTimeout(asked, ANSWER_WITHIN_MS);
  } catch (cause) {
    throw new AppError("UNAVAILABLE", "Kafka does not answer", { cause });
  }
}
