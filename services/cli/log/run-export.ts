// The stores of an export, and the selection in their terms.
import type { z } from "zod";
import type { Codec } from "../../../schemas/codec.ts";
import { topicName } from "../../../schemas/topics.ts";
import { foldSettings } from "../../common/fold-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { keepAllHeaders } from "../../common/kafka/internals/decode-record.ts";
import { countPartitions, offsetRanges } from "../../common/kafka/offsets.ts";
import { settingsCheck } from "../../common/kafka/read/settings-check.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import type { recordedStoresEnv } from "../../recorded/config.ts";
import type { LogStretch } from "../../recorded/read-messages.ts";
import { createRecorded } from "../../recorded/recorded.ts";
import { type AskedSelection, selectionIn } from "../replay/asked-selection.ts";
import { readCatalog } from "../replay/from-stores.ts";
import { type Exported, type ExportOptions, exportStretch } from "./export-stretch.ts";

export interface RunExportDeps {
  readonly config: z.output<typeof recordedStoresEnv>;
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
    const { topic, end } = await catalog();
    const known = await readCatalog(topic, end, await recorded.prepare(signal));
    const selection = selectionIn(asked.selection, { catalog: known, partitions });
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
