import { setTimeout as delay } from "node:timers/promises";
import { createClient, type ImportClient } from "./client.ts";
import type { ImportConfig } from "./config.ts";
import { packDocuments } from "./documents.ts";
import { ImportError } from "./errors.ts";
import { formats } from "./formats/formats.ts";
import { frameTime, type PlanOptions, planSteps } from "./plan.ts";
import type { ImportProgress } from "./progress.ts";
import { readRows } from "./read-rows.ts";
import type { TrackerRowTable } from "./row-table.ts";
import { ensureDataSource, ensureZones } from "./set-up.ts";
import { countIntersections, type ImportSummary } from "./summary.ts";
import { readZonesFile } from "./zones-file.ts";

/** At the recording's pace, detections wait at most this long for others to share a mutation with. */
const GATHER_MS = 100;

/** Finds every fault of the files before the first request. @throws ImportError */
export async function runImport(config: ImportConfig, progress: ImportProgress): Promise<ImportSummary> {
  const format = formats[config.format];
  const zones = config.zonesFile === undefined ? [] : await readZonesFile(config.zonesFile);
  const { rows, ...counts } = await readRows({ ...config, format });
  if (rows.length === 0) throw new ImportError(`${config.file} holds no detections.`);

  const client = createClient(config);
  const dataSourceId = await ensureDataSource(client, config.dataSource);
  const zonesCreated = await ensureZones(client, dataSourceId, zones);

  const plan: PlanOptions = {
    dataSourceId,
    recording: config.recording,
    start: config.start,
    baseFrame: format.baseFrame,
    fps: config.fps,
    maxDetections: config.maxDetections,
    maxSpanMs: config.speed * GATHER_MS,
  };
  const startedAt = performance.now();
  const { tracks, position } = await sendAll(client, rows, { plan, speed: config.speed, progress });
  const seconds = (performance.now() - startedAt) / 1_000;

  const [from, to] = [timeOfRow(rows, 0, plan), timeOfRow(rows, rows.length - 1, plan)];
  const intersections = await countIntersections(client, { dataSourceId, from, to }, position);
  return {
    ...counts,
    recording: config.recording,
    tracks,
    detections: rows.length,
    intersections,
    seconds,
    zonesCreated,
  };
}

const timeOfRow = (rows: TrackerRowTable, index: number, plan: PlanOptions): number =>
  frameTime(plan, rows.row(index).frame);

interface Sending {
  readonly plan: PlanOptions;
  readonly speed: number;
  readonly progress: ImportProgress;
}

/** One document is in flight at a time: its acknowledged mutations are in the log before the next one is sent. */
async function sendAll(client: ImportClient, rows: TrackerRowTable, { plan, speed, progress }: Sending) {
  const startedAt = performance.now();
  const firstTime = timeOfRow(rows, 0, plan);
  let tracks = 0;
  let sent = 0;
  let position: string | undefined;

  function* counted() {
    for (const step of planSteps(rows, plan)) {
      if (step.mutation.field === "createTrack") tracks++;
      yield step;
    }
  }
  progress.start(rows.length);
  try {
    for (const { query, variables, time, detections } of packDocuments(counted(), plan.maxSpanMs)) {
      const dueMs = startedAt + (time - firstTime) / speed - performance.now();
      if (dueMs > 0) await delay(dueMs);
      const answer = await client.request({ query, variables });
      position = answer.position ?? position;
      sent += detections;
      progress.update(sent);
    }
  } finally {
    progress.stop();
  }
  return { tracks, position };
}
