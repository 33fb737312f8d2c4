// Assembles a projector that writes into one database. The service and the rebuild differ in consumer group, database
// and dead letters.
import { namedKinds } from "../../projections/history/kinds.ts";
import { layoutOf } from "../../projections/history/layout/layout.ts";
import { eventBoundsOf } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import { topicName } from "../../schemas/topics.ts";
import { MIB } from "../../schemas/units.ts";
import { createClickHouse } from "../common/clickhouse.ts";
import { createKafka } from "../common/kafka/client.ts";
import { topicIds } from "../common/kafka/log-id.ts";
import { createGroupReader } from "../common/kafka/read/group-reader.ts";
import { createPublisher } from "../common/kafka/write/publisher.ts";
import { closingPart, type Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { readingInPlace } from "../common/registry/read-in-place.ts";
import type { ProjectorConfig } from "./config.ts";
import { createDeadLetters, type SendDeadLetters } from "./dead-letters.ts";
import { checkingLayout, createHistoryStore } from "./history-store.ts";
import type { ProjectedStretch } from "./project-batch.ts";
import { createProjector } from "./projector.ts";
import { createUpkeep } from "./upkeep.ts";

export interface ProjectorOptions {
  readonly config: ProjectorConfig;
  readonly codec: Codec;
  readonly log: Log;
  readonly groupId: string;
  readonly database: string;
  /** False for a rebuild: the service that projected the log has already sent the dead letters. */
  readonly deadLetters: boolean;
  readonly onStored?: (covered: readonly ProjectedStretch[]) => void;
}

/**
 * Messages that the reader keeps per partition. A batch is cut into flushes anyway, so more would only wait in memory.
 */
const INBOX_MESSAGES = 5_000;

/** Rows wait for their flush anyway, and a fetch for each message would cost more than its rows. */
const MAX_GATHER_MS = 50;

/** Returns the parts in the order in which they start. */
export function assembleProjector(options: ProjectorOptions): { parts: Part[]; topics: readonly string[] } {
  const { config, codec, log } = options;
  const namespace = config.TRACKLOG_NAMESPACE;
  const named = namedKinds(namespace);
  const deadLetters = topicName(namespace, "dead-letters");
  const topics = [...named.keys()];
  const kafka = createKafka("tracklog-projector", config, log);
  const client = createClickHouse(config, options.database);
  const layout = layoutOf({ cluster: config.CLICKHOUSE_CLUSTER, database: options.database });
  const publisher = createPublisher({
    kafka,
    topics: [deadLetters],
    log,
    lingerMs: 0,
    maxBatchBytes: 4 * MIB,
    maxQueueBytes: 64 * MIB,
    timeoutMs: 30_000,
  });
  const gatherMs = Math.min(MAX_GATHER_MS, config.PROJECTOR_FLUSH_MS / 4);
  const none: SendDeadLetters = async () => undefined;
  const projector = createProjector({
    reader: createGroupReader({
      kafka,
      groupId: options.groupId,
      topics,
      log,
      inboxMessages: INBOX_MESSAGES,
      loadSchemas: codec.loadSchemas,
      sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT_MS,
      gatherMs,
    }),
    store: checkingLayout(createHistoryStore(client), client, layout),
    sendDeadLetters: options.deadLetters ? createDeadLetters(publisher, codec, deadLetters) : none,
    logIds: (names) => topicIds(kafka, names),
    log,
    project: {
      codec: readingInPlace(codec),
      topics: named,
      bounds: eventBoundsOf(config),
      maxRows: config.PROJECTOR_FLUSH_ROWS,
    },
    flushMs: config.PROJECTOR_FLUSH_MS,
    readMs: gatherMs,
    maxFlushMs: config.PROJECTOR_MAX_FLUSH_MS,
    ...(options.onStored === undefined ? {} : { onStored: options.onStored }),
  });
  const clickhouse = closingPart("clickhouse", () => client.close());
  const upkeep = createUpkeep({ client, layout, months: config.HISTORY_RETENTION_MONTHS, log });
  return { parts: [clickhouse, ...upkeep, ...(options.deadLetters ? [publisher] : []), projector], topics };
}
