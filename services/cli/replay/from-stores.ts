// The source of a run that reads Kafka and ClickHouse, as sessions do.
import type { Kafka } from "kafkajs";
import { type Catalog, createCatalog } from "../../../projections/catalog/catalog.ts";
import { createGeofences } from "../../../projections/live/partition.ts";
import type { ReplaySelection, ReplayZones } from "../../../projections/replay/selection.ts";
import { eventBoundsOf } from "../../../schemas/bounds.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { topicName } from "../../../schemas/topics.ts";
import { foldSettings } from "../../common/fold-config.ts";
import { countPartitions, offsetRanges } from "../../common/kafka/offsets.ts";
import { settingsCheck } from "../../common/kafka/read/settings-check.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import { readMessages } from "../../recorded/read-messages.ts";
import { type RecordedStores, storedSegments } from "../../recorded/read-segment.ts";
import { createRecorded } from "../../recorded/recorded.ts";
import type { AskedSelection, AskedZones, ReplayCommand } from "./command.ts";
import type { ReplayCommandConfig } from "./config.ts";
import { openSignalsOf } from "./recorded-signals.ts";
import type { ReplaySource } from "./source.ts";
import { readReplayZones } from "./zones-file.ts";

export interface FromStoresDeps {
  readonly config: ReplayCommandConfig;
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly log: Log;
  readonly signal: AbortSignal;
}

type Asked = Pick<ReplayCommand, "selection" | "zones" | "settings">;

const unthrottled = async (): Promise<void> => undefined;

/** Rejects with a sentence when the selection names something unknown, or the stores do not answer. */
export async function fromStores(asked: Asked, deps: FromStoresDeps): Promise<ReplaySource> {
  const started: Part[] = [];
  const close = async () => {
    for (const part of started.toReversed()) await part.stop();
  };
  try {
    return { ...(await openStores(asked, deps, started)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openStores(asked: Asked, deps: FromStoresDeps, started: Part[]): Promise<Omit<ReplaySource, "close">> {
  const { config, kafka, codec, log, signal } = deps;
  const namespace = config.TRACKLOG_NAMESPACE;
  const admin = kafka.admin();
  const start = async (parts: readonly Part[]) => {
    for (const part of parts) {
      started.push(part);
      await part.start();
    }
  };
  await start([{ name: "admin", start: admin.connect, stop: admin.disconnect }]);
  // The topic itself has the number. Another one in the environment would make the fold refuse every message.
  const partitions = await countPartitions(admin, topicName(namespace, "camera-log"));
  const counted = { ...config, CAMERA_PARTITIONS: partitions };
  const recorded = createRecorded({ config: counted, codec, kafka, log, throttle: unthrottled });
  await start([
    settingsCheck({ kafka, namespace, config, isFolding: true, sessionTimeoutMs: 0, log }),
    ...recorded.parts,
  ]);

  const topic = topicName(namespace, "catalog");
  const [catalogRange] = await offsetRanges(admin, topic);
  const catalog = await readCatalog(topic, catalogRange?.high ?? 0, await recorded.prepare(signal));
  const selection = selectionOf(asked.selection, catalog, partitions);
  const zones = await zonesOf(asked.zones, selection, counted);
  const plan = await recorded.makePlan({ selection, settings: asked.settings }, signal);
  const read = await recorded.prepare(signal);
  const settings = { ...foldSettings(config), geofences: createGeofences() };
  return {
    plan,
    catalog,
    prepare: (listener) =>
      storedSegments({ ...read, settings: { ...settings, listener } }, { zones, settings: asked.settings }),
    openSignals: openSignalsOf({ read, admin, namespace, plan }),
  };
}

async function readCatalog(topic: string, end: number, read: RecordedStores): Promise<Catalog> {
  const catalog = createCatalog();
  for await (const { value, offset } of readMessages({ topic, partition: 0, begin: 0, end }, read)) {
    const message = readMessage(read.codec, "catalog", value);
    if (message.ok) catalog.apply(message, Number(offset));
  }
  return catalog;
}

/** A data source is found by its id, or else by its name. */
function selectionOf(asked: AskedSelection, catalog: Catalog, partitions: number): ReplaySelection {
  if (asked.kind === "tracks") return asked;
  if (asked.kind === "offsets") {
    const absent = asked.spans.find(({ partition }) => partition >= partitions);
    if (absent === undefined) return asked;
    throw new Error(`The camera-log has no partition ${absent.partition}: it has ${partitions}.`);
  }
  const { dataSources, from, to } = asked;
  return { kind: "range", from, to, dataSourceIds: dataSources.map((given) => sourceIdOf(given, catalog)) };
}

function sourceIdOf(given: string, catalog: Catalog): string {
  if (catalog.get("dataSource", given) !== undefined) return given;
  const named = [...catalog.all("dataSource")].filter(({ name }) => name === given);
  const [found, ...more] = named;
  if (found === undefined) throw new Error(`There is no data source with the id or the name ${given}.`);
  if (more.length > 0) throw new Error(`Several data sources are named ${given}: give the id of one.`);
  return found.id;
}

async function zonesOf(
  asked: AskedZones,
  selection: ReplaySelection,
  config: ReplayCommandConfig,
): Promise<ReplayZones> {
  if (typeof asked === "string") return asked;
  const dataSourceIds = selection.kind === "range" ? selection.dataSourceIds : undefined;
  return readReplayZones(asked.file, { dataSourceIds, bounds: eventBoundsOf(config) });
}
