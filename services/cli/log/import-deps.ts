import type { Admin, Kafka } from "kafkajs";
import type { EventBounds } from "../../../schemas/bounds.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { NamedTopic } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import { createPublisher, type Publisher } from "../../common/kafka/write/publisher.ts";
import type { Log } from "../../common/log.ts";
import type { StretchFile } from "../../recorded/stretch/read-stretch.ts";
import type { WrittenChange } from "./import-catalog.ts";

export interface ImportDeps {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly codec: Codec;
  readonly namespace: string;
  /** All topics of the namespace, with its settings. */
  readonly topics: readonly NamedTopic[];
  readonly replicationFactor: number;
  readonly retentionMs: number;
  readonly bounds: EventBounds;
  readonly now: () => number;
  readonly log: Log;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** An import whose catalog is written. */
export interface CameraLogDeps extends ImportDeps {
  readonly file: StretchFile;
  /** The changes of the catalog that the namespace has, in the order of the original catalog. */
  readonly changes: readonly WrittenChange[];
  /** The time by which event times move, ms. */
  readonly byMs: number;
}

const TIMEOUT_MS = 30_000;

/** With `retries` 0 a failure is reported only when no broker writes the messages any more. */
export const publisherFor = (
  topics: readonly string[],
  { kafka, log }: Pick<ImportDeps, "kafka" | "log">,
  retries?: number,
): Publisher =>
  createPublisher({
    kafka,
    topics,
    log,
    lingerMs: 0,
    maxBatchBytes: MIB,
    maxQueueBytes: 64 * MIB,
    timeoutMs: TIMEOUT_MS,
    ...(retries === undefined ? {} : { retries }),
  });
