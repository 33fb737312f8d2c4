// npm run test:stretch [-- --gigabytes N --codec deflate|null --most-mib M]: writes a stretch file of this size,
// replays it from the file, and samples the memory of this process. Prints the figures, and ends with code 1 when
// memory grows with the file, or exceeds the limit.
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSignalListener } from "../../projections/webhooks/signals/signal-listener.ts";
import { subscribersOf } from "../../projections/webhooks/signals/subscribers.ts";
import { fromFile } from "../../services/recorded/file-segments.ts";
import { stepsOf } from "../../services/recorded/steps.ts";
import type { ContainerCodec } from "../../services/recorded/stretch/container.ts";
import { subscriptionSet } from "../support/scenes/signals.ts";
import { stretchMetadata } from "../support/scenes/stretch-files.ts";
import { writeLongStretch } from "./long-stretch.ts";
import { watchMemory } from "./watch-memory.ts";

const USAGE = "usage: npm run test:stretch [-- --gigabytes N --codec deflate|null --most-mib M --folder FOLDER]";
const GB = 1_000_000_000;

const { gigabytes, codec, mostMib, parent } = parse();
const folder = await mkdtemp(join(parent, "tracklog-stretch-"));
try {
  const figures = await measure(join(folder, "stretch.avro"));
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  const faults = [figures.written.memory, figures.verified.memory, figures.replayed.memory].flatMap(faultOf);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

function parse() {
  const { values } = parseArgs({
    options: {
      gigabytes: { type: "string", default: "1" },
      codec: { type: "string", default: "deflate" },
      "most-mib": { type: "string", default: "700" },
      folder: { type: "string", default: tmpdir() },
    },
  });
  const [gigabytes, mostMib] = [Number(values.gigabytes), Number(values["most-mib"])];
  const isCodec = values.codec === "deflate" || values.codec === "null";
  if (!(gigabytes > 0) || !(mostMib > 0) || !isCodec) throw new Error(USAGE);
  return { gigabytes, mostMib, codec: values.codec as ContainerCodec, parent: values.folder };
}

async function measure(path: string) {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < 1.2 * gigabytes * GB) throw new Error(`${folder} has not enough room: name another --folder`);
  const written = await phase(() => writeLongStretch(path, { bytes: gigabytes * GB, codec }));
  const opened = await phase(() => fromFile(path, stretchMetadata()));
  const replayed = await phase(() => replay(opened.result));
  await opened.result.close();
  const rate = ({ ms }: { readonly ms: number }) => Number((written.result.bytes / 1e6 / (ms / 1_000)).toFixed(1));
  return {
    ...written.result,
    written: { seconds: seconds(written), mbPerSecond: rate(written), memory: written.memory },
    verified: { seconds: seconds(opened), mbPerSecond: rate(opened), memory: opened.memory },
    replayed: {
      ...{ seconds: seconds(replayed), mbPerSecond: rate(replayed), memory: replayed.memory },
      ...replayed.result,
      detectionsPerSecond: Math.round((1_000 * written.result.detections) / replayed.ms),
    },
  };
}

function seconds({ ms }: { readonly ms: number }): number {
  return Number((ms / 1_000).toFixed(1));
}

async function phase<T>(work: () => Promise<T>) {
  const memory = watchMemory();
  const startedAt = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedAt, memory: memory.stop() };
}

async function replay(file: Awaited<ReturnType<typeof fromFile>>): Promise<{ readonly signals: number }> {
  // Only changes of the tracks in a zone raise signals: the texts of signals would take most of the time.
  const zones = { signalType: "zone_state", zoneEmitMode: "composition", createdAt: 0 } as const;
  const subscribers = subscribersOf([{ ...subscriptionSet("zones", "https://a.example.com"), ...zones }]);
  const prepare = file.prepare({ zones: "then", settings: {} }, createSignalListener({ of: () => subscribers }));
  let signals = 0;
  for await (const step of stepsOf(await file.plan(), { prepare, plannedAt: 0, throttle: async () => undefined })) {
    signals += step.signals.length;
  }
  if (signals === 0) throw new Error("the replay raised no signal");
  return { signals };
}

/** The heap of a process that works grows up to a size at which it is collected; it must not go on growing. */
function faultOf({ firstHalfMib, secondHalfMib, mostMib: found }: ReturnType<ReturnType<typeof watchMemory>["stop"]>) {
  const grows = secondHalfMib > 1.25 * firstHalfMib + 64;
  return [
    ...(grows ? [`memory grows: ${firstHalfMib} MiB in the first half, ${secondHalfMib} MiB in the second`] : []),
    ...(found > mostMib ? [`memory reached ${found} MiB, more than ${mostMib}`] : []),
  ];
}
