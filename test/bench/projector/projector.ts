// The real projector from a new group into new tables until it has stored the whole camera-log. The baseline is
// client.insert of the same prepared rows as JSON, one batch of the same size after the other, also into new tables.
import { randomUUID } from "node:crypto";
import { namedKinds } from "../../../projections/history/kinds.ts";
import { eventBoundsOf } from "../../../schemas/bounds.ts";
import { topicName } from "../../../schemas/topics.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { provision } from "../../../services/cli/provision/provision.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createGroupReader } from "../../../services/common/kafka/read/group-reader.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { assembleProjector } from "../../../services/projector/assemble.ts";
import { type ProjectorConfig, projectorEnv } from "../../../services/projector/config.ts";
import { migrateDatabase } from "../../../services/projector/migrate-database.ts";
import { createFlush, isFull, projectBatch } from "../../../services/projector/project-batch.ts";
import { endsNow, untilReached } from "../../../services/projector/reach-ends.ts";
import { DETECTIONS_PER_EVENT, fillCameraLog, log } from "../camera-log.ts";
import { type Comparison, compareAll } from "../measure.ts";
import { type BenchStack, clickhouseSeconds } from "../stack.ts";

const EVENTS = 40_000;
const DETECTIONS = EVENTS * DETECTIONS_PER_EVENT;
const ROUNDS = 3;

export async function benchProjector(stack: BenchStack): Promise<Comparison[]> {
  const namespace = `bench_projector_${Date.now()}`;
  const env = { ...stack.env, TRACKLOG_NAMESPACE: namespace };
  await provision(loadConfig(provisionEnv, env), log);
  const config = loadConfig(projectorEnv, env);
  const cameraLog = topicName(namespace, "camera-log");
  await fillCameraLog(env, cameraLog, EVENTS);
  const kafka = createKafka("tracklog-bench", config, log);
  const admin = kafka.admin();
  await admin.connect();
  const ends = await endsNow(admin, [cameraLog]);
  await admin.disconnect();
  const meter = () => startMeter(stack);
  const figure = (name: string, goal: string) => ({ name, unit: "us of processor a detection", goal });
  return compareAll({
    rounds: ROUNDS,
    figures: {
      speed: { name: "projector", unit: "detections/s", goal: ">= 1.3" },
      own: figure("projector, own process", "none"),
      store: figure("projector, ClickHouse", "<= 0.5"),
    },
    ours: (round) =>
      inFreshTables(config, `${namespace}_ours_${round}`, (database) => project({ config, database, ends, meter })),
    baseline: async (round) => {
      // Rows that lived through the rounds of ours would cost it the marking of their heap.
      const prepared = await prepare(config, cameraLog, ends);
      return inFreshTables(config, `${namespace}_base_${round}`, (database) =>
        insertAll({ config, database, prepared, meter }),
      );
    },
  });
}

type Figures = Readonly<Record<"speed" | "own" | "store", number>>;
/** Measures from its start until it is read. */
type Meter = { read(): Promise<Figures> };

async function startMeter(stack: BenchStack): Promise<Meter> {
  const [before, own, startedAt] = [await clickhouseSeconds(stack), process.cpuUsage(), performance.now()];
  return {
    async read() {
      const lasted = (performance.now() - startedAt) / 1_000;
      const { user, system } = process.cpuUsage(own);
      const store = (await clickhouseSeconds(stack)) - before;
      return { speed: DETECTIONS / lasted, own: (user + system) / DETECTIONS, store: (1e6 * store) / DETECTIONS };
    },
  };
}

type Ends = ReadonlyMap<string, number>;
type Batch = readonly {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly unknown[];
}[];

async function inFreshTables(
  config: ProjectorConfig,
  database: string,
  work: (database: string) => Promise<Figures>,
): Promise<Figures> {
  await migrateDatabase(config, database);
  const figures = await work(database);
  const client = createClickHouse(config, database);
  const stored = await client.query({ query: "SELECT count() FROM detections_v1 FINAL", format: "TabSeparated" });
  const rows = Number(await stored.text());
  if (rows !== DETECTIONS) throw new Error(`${rows} of ${DETECTIONS} detections are stored`);
  await client.command({ query: `DROP DATABASE ${database}` });
  await client.close();
  return figures;
}

interface Round {
  readonly config: ProjectorConfig;
  readonly database: string;
  readonly meter: () => Promise<Meter>;
}

async function project({ config, database, ends, meter: startOne }: Round & { readonly ends: Ends }): Promise<Figures> {
  const reached = untilReached();
  /** Begins when the group has given the partitions to the projector: the baseline has no such wait. */
  let meter: Promise<Meter> | undefined;
  const codec = await createCodec(config);
  const { parts } = assembleProjector({
    config,
    codec,
    log,
    groupId: `${database}.projector`,
    database,
    deadLetters: true,
    onStored: (covered) => {
      meter ??= startOne();
      reached.stored(covered);
    },
  });
  reached.wait(ends);
  const figures = reached.done.then(async () => (await (meter ?? startOne())).read());
  await run(parts, figures, log);
  return figures;
}

async function insertAll({
  config,
  database,
  prepared,
  meter,
}: Round & { readonly prepared: readonly Batch[] }): Promise<Figures> {
  const client = createClickHouse(config, database);
  const { read } = await meter();
  for (const batch of prepared) {
    await Promise.all(
      batch.map(({ table, columns: [first = "", ...more], rows }) =>
        client.insert({ table, columns: [first, ...more], values: rows, format: "JSONCompactEachRow" }),
      ),
    );
  }
  const figures = await read();
  await client.close();
  return figures;
}

/** The rows of the whole log in batches as the projector cuts them. */
async function prepare(config: ProjectorConfig, cameraLog: string, ends: Ends): Promise<Batch[]> {
  const codec = await createCodec(config);
  const options = {
    codec,
    topics: namedKinds(config.TRACKLOG_NAMESPACE),
    bounds: eventBoundsOf(config),
    maxRows: config.PROJECTOR_FLUSH_ROWS,
  };
  const reader = createGroupReader({
    kafka: createKafka("tracklog-bench", config, log),
    groupId: `${config.TRACKLOG_NAMESPACE}.prepare.${randomUUID()}`,
    topics: [cameraLog],
    log,
  });
  const batches: Batch[] = [];
  const left = new Map(ends);
  let flush = createFlush();
  const cut = () => {
    batches.push(
      flush.gathered.byTable().map(({ table: { name, columns }, rows }) => ({ table: name, columns, rows })),
    );
    flush = createFlush();
  };
  await reader.start();
  while (left.size > 0) {
    const { assigned, batches: taken } = await reader.next(200);
    await reader.begin((assigned ?? []).map((id) => ({ ...id, offset: undefined })));
    for (const batch of taken) {
      for (let next = 0; next < batch.messages.length; ) {
        next = projectBatch(flush, batch, next, options);
        if (isFull(flush, config.PROJECTOR_FLUSH_ROWS)) cut();
      }
      const key = `${batch.topic}/${batch.partition}`;
      if (batch.next >= (left.get(key) ?? 0)) left.delete(key);
    }
  }
  await reader.stop();
  if (flush.gathered.size() > 0) cut();
  return batches;
}
