// The stores of an export, and the selection in their terms.
import { createCatalog } from "../../../projections/catalog/catalog.ts";
import type { ReplaySelection } from "../../../projections/replay/selection.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { topicName } from "../../../schemas/topics.ts";
import { foldSettings } from "../../common/fold-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { keepAllHeaders } from "../../common/kafka/internals/decode-record.ts";
import { countPartitions, offsetRanges } from "../../common/kafka/offsets.ts";
import { settingsCheck } from "../../common/kafka/read/settings-check.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import { type LogStretch, readMessages } from "../../recorded/read-messages.ts";
import type { RecordedStores } from "../../recorded/read-segment.ts";
import { createRecorded } from "../../recorded/recorded.ts";
import type { ExportConfig } from "./config.ts";
import { type Exported, type ExportOptions, exportStretch } from "./export-stretch.ts";
import type { AskedSelection } from "./selection-options.ts";

export interface RunExportDeps {
  readonly config: ExportConfig;
  readonly codec: Codec;
  readonly log: Log;
  /** Version of tracklog. */
  readonly version: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export interface AskedExport extends Omit<ExportOptions, "selection"> {
  readonly selection: AskedSelection;
}

const unthrottled = async (): Promise<void> => undefined;

export async function runExport(asked: AskedExport, deps: RunExportDeps): Promise<Exported> {
  const { config, codec, log, version, now, signal } = deps;
  const namespace = config.TRACKLOG_NAMESPACE;
  const kafka = createKafka("tracklog-log", config, log);
  const admin = kafka.admin();
  keepAllHeaders();
  const started: Part[] = [];
  const start = async (parts: readonly Part[]) => {
    for (const part of parts) {
      started.push(part);
      await part.start();
    }
  };
  try {
    await start([{ name: "admin", start: admin.connect, stop: admin.disconnect }]);
    // The topic itself has the number. Another one in the environment would make the reader refuse every message.
    const partitions = await countPartitions(admin, topicName(namespace, "camera-log"));
    const counted = { ...config, CAMERA_PARTITIONS: partitions };
    const recorded = createRecorded({ config: counted, codec, kafka, log, throttle: unthrottled });
    const check = settingsCheck({ kafka, namespace, config, isFolding: true, sessionTimeoutMs: 0, log });
    await start([check, ...recorded.parts]);
    const catalog = () => catalogRange(topicName(namespace, "catalog"));
    const selection = await selectionOf(asked.selection, await catalog(), await recorded.prepare(signal));
    return await exportStretch(
      { ...asked, selection },
      {
        catalog,
        namespace,
        version,
        now,
        signal,
        makePlan: (of) => recorded.makePlan({ selection: of, settings: {} }, signal),
        stores: () => recorded.prepare(signal),
        partitions,
        settings: foldSettings(config),
      },
    );
  } finally {
    for (const part of started.toReversed()) await part.stop();
  }

  async function catalogRange(topic: string): Promise<LogStretch> {
    const [range] = await offsetRanges(admin, topic);
    return { topic, partition: 0, begin: range?.low ?? 0, end: range?.high ?? 0 };
  }
}

/** A data source is found by its id, or else by its name. */
async function selectionOf(asked: AskedSelection, range: LogStretch, stores: RecordedStores): Promise<ReplaySelection> {
  if (asked.kind !== "range") return asked;
  const catalog = createCatalog();
  for await (const { value, offset } of readMessages(range, stores)) {
    const read = readMessage(stores.codec, "catalog", value);
    if (read.ok) catalog.apply(read, Number(offset));
  }
  const dataSourceIds = asked.dataSources.map((given) => {
    if (catalog.lastKnown("dataSource", given) !== undefined) return given;
    const [found, ...more] = [...catalog.all("dataSource")].filter(({ name }) => name === given);
    if (found === undefined) throw new Error(`There is no data source with the id or the name ${given}.`);
    if (more.length > 0) throw new Error(`Several data sources are named ${given}: give the id of one.`);
    return found.id;
  });
  return { kind: "range", from: asked.from, to: asked.to, dataSourceIds };
}
