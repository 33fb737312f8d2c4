// The parts of a projector into one database; the service and the rebuild differ in group, database and dead letters.
import { namedKinds } from "../../projections/history/kinds.ts";
import { eventBoundsOf } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import { topicName } from "../../schemas/topics.ts";
import { createClickHouse } from "../common/clickhouse.ts";
import { createKafka } from "../common/kafka/client.ts";
import { createGroupReader } from "../common/kafka/group-reader.ts";
import { topicIds } from "../common/kafka/log-id.ts";
import { createPublisher } from "../common/kafka/publisher.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import type { ProjectorConfig } from "./config.ts";
import { createDeadLetters, type SendDeadLetters } from "./dead-letters.ts";
import { createHistoryStore } from "./history-store.ts";
import type { Stretch } from "./project-batch.ts";
import { createProjector } from "./projector.ts";
import { createUpkeep } from "./upkeep.ts";

export interface AssembleOptions {
  readonly config: ProjectorConfig;
  readonly codec: Codec;
  readonly log: Log;
  readonly groupId: string;
  readonly database: string;
  /** false: the service that projected the log has sent them already. */
  readonly deadLetters: boolean;
  readonly onStored?: (covered: readonly Stretch[]) => void;
}

/** Per partition; a batch is cut into flushes anyway, and more would only wait in memory. */
const INBOX_MESSAGES = 5_000;

/** In the order in which they start. */
export function assemble(options: AssembleOptions): { parts: Part[]; topics: readonly string[] } {
  const { config, codec, log } = options;
  const namespace = config.TRACKLOG_NAMESPACE;
  const named = namedKinds(namespace);
  const deadLetters = topicName(namespace, "dead-letters");
  const topics = [...named.keys()];
  const kafka = createKafka("tracklog-projector", config, log);
  const client = createClickHouse(config, options.database);
  const publisher = createPublisher({
    kafka,
    topics: [deadLetters],
    log,
    lingerMs: 0,
    maxBatchBytes: 4 * 1024 * 1024,
    maxQueueBytes: 64 * 1024 * 1024,
    timeoutMs: 30_000,
  });
  const none: SendDeadLetters = async () => undefined;
  const projector = createProjector({
    reader: createGroupReader({
      kafka,
      groupId: options.groupId,
      topics,
      log,
      inboxMessages: INBOX_MESSAGES,
      learn: codec.learn,
      sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT_MS,
    }),
    store: createHistoryStore(client),
    sendDeadLetters: options.deadLetters ? createDeadLetters(publisher, codec, deadLetters) : none,
    logIds: (names) => topicIds(kafka, names),
    log,
    project: {
      codec,
      topics: named,
      bounds: eventBoundsOf(config),
      maxRows: config.PROJECTOR_FLUSH_ROWS,
    },
    flushMs: config.PROJECTOR_FLUSH_MS,
    ...(options.onStored === undefined ? {} : { onStored: options.onStored }),
  });
  const clickhouse: Part = {
    name: "clickhouse",
    start: async () => undefined,
    stop: () => client.close(),
  };
  const upkeep = createUpkeep({ client, months: config.HISTORY_RETENTION_MONTHS, log });
  return { parts: [clickhouse, ...upkeep, ...(options.deadLetters ? [publisher] : []), projector], topics };
}
