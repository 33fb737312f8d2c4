// Writes a stretch file into the log of a namespace. The file is verified as a whole before anything is written.
import { groupName, topicName } from "../../../schemas/topics.ts";
import { keepAllHeaders } from "../../common/kafka/internals/decode-record.ts";
import { readEach } from "../../common/kafka/read/read-some.ts";
import { setOnTopics } from "../../common/kafka/write/compare-topics.ts";
import { TIMES_OF_WRITERS, TIMESTAMP_TYPE } from "../../common/kafka/write/filling.ts";
import { provideTopics } from "../../common/kafka/write/provision.ts";
import { openStretch, type StretchFile } from "../../recorded/stretch/read-stretch.ts";
import { fillCameraLog } from "./fill-camera-log.ts";
import { type CatalogToImport, catalogToImport, type WrittenChange } from "./import-catalog.ts";
import { type ImportDeps, publisherFor } from "./import-deps.ts";
import { paceIntoCameraLog } from "./pace-into-camera-log.ts";
import { conditionOf, refuseForFilling } from "./target.ts";

export interface ImportOptions {
  readonly path: string;
  /** True when the first detection is to be now. Otherwise event times stay. */
  readonly isNow: boolean;
  /** True when data sources that the namespace knows may be written all the same. */
  readonly forces: boolean;
}

export interface Imported {
  /** Messages that were written to the camera-log, and changes of the catalog. */
  readonly messages: number;
  readonly changes: number;
  readonly ms: number;
}

/** Number of changes that are written together. */
const GROUP = 500;

export async function importStretch(options: ImportOptions, deps: ImportDeps): Promise<Imported> {
  const startedAt = performance.now();
  const file = await openStretch(options.path, { bounds: deps.bounds });
  try {
    const { messages, changes } = await importFile(file, options, deps);
    return { messages, changes, ms: performance.now() - startedAt };
  } finally {
    await file.close();
  }
}

async function importFile(file: StretchFile, options: ImportOptions, deps: ImportDeps) {
  const { admin, namespace, topics, replicationFactor, log, kafka } = deps;
  keepAllHeaders();
  const condition = await conditionOf(admin, namespace);
  const fills = condition !== "open" && !options.isNow;
  if (fills) await refuseForFilling(file, deps);
  if (condition === "begun" && options.isNow) {
    throw new Error(
      "Nothing was changed: an import with the recorded times was begun. Finish it, or delete the topics.",
    );
  }
  if (options.isNow) refuseAhead(file, deps);
  const { firstDetectionAt } = file.facts;
  const byMs = options.isNow && !Number.isNaN(firstDetectionAt) ? deps.now() - firstDetectionAt : 0;
  const [topic, cameraLog] = [topicName(namespace, "catalog"), topicName(namespace, "camera-log")];
  const reading = { kafka, topic, groupPrefix: groupName(namespace, "log"), log };
  const catalog = await catalogToImport(file, {
    codec: deps.codec,
    topic,
    byMs,
    forces: options.forces,
    continues: condition === "begun",
    present: () => (condition === "missing" ? nothing() : readEach(reading)),
  });
  const provided = condition === "begun" ? topics.filter(({ name }) => name !== cameraLog) : topics;
  await provideTopics(admin, provided, replicationFactor);
  // Must come first: an import that ends within the catalog is recognized by it, and continues.
  if (fills) await setOnTopics(admin, [cameraLog], TIMESTAMP_TYPE, TIMES_OF_WRITERS);
  const changes = await writeCatalog(catalog, deps);
  const importing = { ...deps, file, byMs, changes };
  const write = fills ? fillCameraLog : paceIntoCameraLog;
  return { messages: await write(importing), changes: catalog.messages.length };
}

async function* nothing(): AsyncGenerator<never, void> {}

/** A recording that was sent faster than it happened would be ahead of the clock. */
function refuseAhead({ facts: { aheadMs } }: StretchFile, { bounds: { maxFutureMs } }: ImportDeps): void {
  if (!(aheadMs > maxFutureMs)) return;
  throw new Error(
    `Nothing was changed: the stretch was recorded faster than it happened. With --at now its detections would be ` +
      `${Math.ceil(aheadMs / 1_000)} s in the future, and MAX_FUTURE_MS allows ${maxFutureMs / 1_000} s.`,
  );
}

async function writeCatalog(catalog: CatalogToImport, deps: ImportDeps): Promise<readonly WrittenChange[]> {
  const { messages, originals, present } = catalog;
  if (messages.length === 0) return present;
  const publisher = publisherFor([topicName(deps.namespace, "catalog")], deps);
  const written = [...present];
  await publisher.start();
  try {
    for (let from = 0; from < messages.length; from += GROUP) {
      const positions = await publisher.publish(messages.slice(from, from + GROUP));
      for (const [i, original] of originals.slice(from, from + GROUP).entries()) {
        written.push({ ...original, written: positions[i]?.offset ?? 0 });
      }
    }
  } finally {
    await publisher.stop();
  }
  return written.sort((a, b) => a.offset - b.offset);
}
