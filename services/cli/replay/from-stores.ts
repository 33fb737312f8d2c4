// The source of a run that reads Kafka and ClickHouse, as sessions do.
import type { Kafka } from "kafkajs";
import { type Catalog, createCatalog } from "../../../projections/catalog/catalog.ts";
import { createGeofences } from "../../../projections/live/partition.ts";
import type { ReplayZones } from "../../../projections/replay/selection.ts";
import { type EventBounds, eventBoundsOf } from "../../../schemas/bounds.ts";
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
import { type AskedSelection, selectionIn } from "./asked-selection.ts";
import type { AskedZones, ReplayCommand } from "./command.ts";
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
  readonly printError: (line: string) => void;
}

interface AskedOfStores extends Pick<ReplayCommand, "zones" | "settings"> {
  readonly selection: AskedSelection;
}

const unthrottled = async (): Promise<void> => undefined;

/** Rejects with a sentence when the selection names something unknown, or the stores do not answer. */
export async function fromStores(asked: AskedOfStores, deps: FromStoresDeps): Promise<ReplaySource> {
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

async function openStores(
  asked: AskedOfStores,
  deps: FromStoresDeps,
  started: Part[],
): Promise<Omit<ReplaySource, "close">> {
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
  const selection = selectionIn(asked.selection, { catalog, partitions });
  const dataSourceIds = selection.kind === "range" ? selection.dataSourceIds : undefined;
  const zones = await chosenZones(asked.zones, dataSourceIds, eventBoundsOf(counted));
  const plannedAt = Date.now();
  const plan = await withNote(recorded.makePlan({ selection, settings: asked.settings }, signal), deps.printError);
  const read = await recorded.prepare(signal);
  const settings = { ...foldSettings(config), geofences: createGeofences() };
  return {
    plan,
    plannedAt,
    catalog,
    prepare: (listener) =>
      storedSegments({ ...read, settings: { ...settings, listener } }, { zones, settings: asked.settings }),
    openSignals: openSignalsOf({ read, admin, namespace, plan }),
  };
}

const NOTE_AFTER_MS = 5_000;

/** Says after some seconds why nothing happens yet. */
async function withNote<T>(planning: Promise<T>, printError: FromStoresDeps["printError"]): Promise<T> {
  const note = "Waiting for the history: it must have everything that the log has (10 minutes at most).";
  const timer = setTimeout(() => printError(note), NOTE_AFTER_MS);
  try {
    return await planning;
  } finally {
    clearTimeout(timer);
  }
}

export async function readCatalog(topic: string, end: number, read: RecordedStores): Promise<Catalog> {
  const catalog = createCatalog();
  for await (const { value, offset } of readMessages({ topic, partition: 0, begin: 0, end }, read)) {
    const message = readMessage(read.codec, "catalog", value);
    if (message.ok) catalog.apply(message, Number(offset));
  }
  return catalog;
}

export async function chosenZones(
  asked: AskedZones,
  dataSourceIds: readonly string[] | undefined,
  bounds: EventBounds,
): Promise<ReplayZones> {
  if (typeof asked === "string") return asked;
  return readReplayZones(asked.file, { dataSourceIds, bounds });
}
