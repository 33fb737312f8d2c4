// A stretch file of any size, without a log: cameras whose objects walk through two zones and leave after a minute.
import type { CameraLogEvent, ZoneVersion } from "../../schemas/events.ts";
import { createRandom } from "../../services/cli/demo/scene/random.ts";
import type { ContainerCodec } from "../../services/recorded/stretch/container.ts";
import { createStretchWriter, type StretchWriter } from "../../services/recorded/stretch/write-stretch.ts";
import { at, box, created, detection, updated } from "../support/scenes/feed-events.ts";
import { camSegment, stretchMetadata } from "../support/scenes/stretch-files.ts";
import { zone } from "../support/scenes/zone.ts";

export interface LongStretchOptions {
  /** Size of the file. */
  readonly bytes: number;
  readonly codec: ContainerCodec;
}

const CAMERAS = 4;
const OBJECTS = 10;
const FRAMES_PER_SECOND = 5;
const SECONDS_OF_A_TRACK = 60;
const FOREVER = 1_000_000_000;

export async function writeLongStretch(path: string, { bytes, codec }: LongStretchOptions) {
  const asked = { kind: "range", dataSourceIds: cameras(), from: at(0), to: at(FOREVER) } as const;
  const { settings } = stretchMetadata();
  // The memory of ended tracks is full after a minute, so that only growth with the file would show.
  const quick = { ...settings, forgetAfterMs: 60_000, rememberedTracks: 100 };
  const metadata = stretchMetadata({ partitions: CAMERAS, asked, settings: quick });
  const writer = await createStretchWriter(path, { metadata, codec, replaces: true });
  let messages = 0;
  for (const [partition, dataSourceId] of cameras().entries()) {
    messages += await writeCamera(writer, { partition, dataSourceId, upTo: (bytes * (partition + 1)) / CAMERAS });
  }
  const written = await writer.finish();
  return { bytes: written, messages, detections: messages * OBJECTS };
}

const cameras = (): string[] => Array.from({ length: CAMERAS }, (_, i) => `cam-${i}`);

interface Camera {
  readonly partition: number;
  readonly dataSourceId: string;
  /** Size of the file at which the camera ends. */
  readonly upTo: number;
}

/** Resolves with the number of messages with detections. */
async function writeCamera(writer: StretchWriter, { partition, dataSourceId, upTo }: Camera): Promise<number> {
  const window = { kind: "window", from: at(0), to: at(FOREVER) } as const;
  const segment = camSegment({
    partition,
    dataSourceIds: [dataSourceId],
    asked: window,
    end: FOREVER,
    lastAt: at(FOREVER),
  });
  await writer.beginSegment(segment);
  for (const [offset, event] of zonesOf(dataSourceId, partition).entries()) {
    const version = { type: "ZoneVersion", event } as const;
    await writer.add({ ...plain, kind: "zone", partition, offset, recordedAt: at(0), event: version });
  }
  const random = createRandom(partition + 1).next;
  let offset = 0;
  let frames = 0;
  for (; writer.bytes() < upTo; frames++) {
    const second = frames / FRAMES_PER_SECOND;
    for (const event of eventsOfFrame(dataSourceId, second, random)) {
      const place = { partition, offset, recordedAt: at(second) };
      offset += 1;
      const full = writer.add({ ...place, kind: "message", key: Buffer.from(dataSourceId), headers: [], event });
      if (full !== undefined) await full;
    }
  }
  return frames;
}

const plain = { key: null, headers: [] };

const zonesOf = (dataSourceId: string, partition: number): ZoneVersion[] =>
  [0, 200].map((x) => {
    const drawn = zone({ zoneId: `${dataSourceId}-${x}`, dataSourceId, polygon: box(x, 0, 150) });
    const { zoneId } = drawn;
    return { zoneId, dataSourceId, zone: drawn, movedTo: null, refusal: null, partition, offset: 0 };
  });

function eventsOfFrame(dataSourceId: string, second: number, random: () => number): CameraLogEvent[] {
  const turn = Math.floor(second / SECONDS_OF_A_TRACK);
  const age = second - turn * SECONDS_OF_A_TRACK;
  const trackIds = Array.from({ length: OBJECTS }, (_, i) => `${dataSourceId}-${turn}-${i}`);
  const detections = trackIds.map((trackId, i) => {
    const polygon = box(8 * age + 10 * random(), 10 * i + random(), 10 + random());
    return detection(trackId, second, { polygon });
  });
  const message: CameraLogEvent = { type: "DetectionsRecorded", event: { dataSourceId, detections } };
  const isLast = age + 1 / FRAMES_PER_SECOND >= SECONDS_OF_A_TRACK;
  const begun = trackIds.map((trackId) => created(trackId, { dataSourceId, startTime: at(second) }));
  const ended = trackIds.map((trackId) => updated(trackId, { dataSourceId, endTime: at(second) }));
  return [...(age === 0 ? begun : []), message, ...(isLast ? ended : [])];
}
