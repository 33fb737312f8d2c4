// Stretch files as an export writes them, without a log.
import type { Segment } from "../../../projections/replay/session.ts";
import type { CameraLogEvent, CatalogEvent, ZoneVersion } from "../../../schemas/events.ts";
import { FOLD_VERSION } from "../../../schemas/fold-version.ts";
import type { ContainerCodec } from "../../../services/recorded/stretch/container.ts";
import type { StretchMetadata } from "../../../services/recorded/stretch/metadata.ts";
import { createStretchWriter } from "../../../services/recorded/stretch/write-stretch.ts";
import { liveSettings } from "../running/live-settings.ts";
import { at } from "./feed-events.ts";

const { geofences: _geofences, listener: _listener, ...settings } = liveSettings;

export const stretchMetadata = (given: Partial<StretchMetadata> = {}): StretchMetadata => ({
  ...{ format: 1, version: "0.0.0", foldVersion: FOLD_VERSION, namespace: "", logId: "log", partitions: 1 },
  exportedAt: new Date(at(1_000)).toISOString(),
  asked: { kind: "range", dataSourceIds: ["cam"], from: at(0), to: at(100) },
  settings,
  bounds: { maxFutureMs: 300_000, maxDetectionVertices: 256, maxZoneVertices: 256, maxDataSourceVertices: 64_000 },
  ...given,
});

/** All signals of the first 100 seconds of "cam". */
export const camSegment = (given: Partial<Segment> = {}): Segment => ({
  ...{ partition: 0, dataSourceIds: ["cam"], log: "topic", begin: 0, end: 1_000_000 },
  ...{ asked: { kind: "window", from: at(0), to: at(100) }, recorded: [{ from: at(0), to: at(100) }] },
  ...{ beginAt: at(0), lastAt: at(100), eventFrom: at(0), eventTo: at(100) },
  ...given,
});

/** An event with the second at which it was recorded. An offset alone is a message of another data source. */
export interface SceneMessage {
  readonly second: number;
  readonly message: CameraLogEvent | undefined;
}

export interface SceneSegment {
  readonly segment: Segment;
  readonly zones: readonly ZoneVersion[];
  readonly messages: Iterable<SceneMessage>;
}

export interface StretchScene {
  readonly metadata?: StretchMetadata;
  readonly codec?: ContainerCodec;
  readonly segments: readonly SceneSegment[];
  readonly catalog?: readonly CatalogEvent[];
}

const plain = { key: null, headers: [] };

/** Resolves with the size of the file. */
export async function writeStretchFile(path: string, scene: StretchScene): Promise<number> {
  const { metadata = stretchMetadata(), codec = "deflate", segments, catalog = [] } = scene;
  const writer = await createStretchWriter(path, { metadata, codec, replaces: true });
  for (const { segment, zones, messages } of segments) {
    const { partition, beginAt, begin } = segment;
    await writer.beginSegment(segment);
    for (const event of zones) {
      const version = { type: "ZoneVersion", event } as const;
      await writer.add({
        ...plain,
        kind: "zone",
        partition,
        offset: event.offset,
        recordedAt: beginAt,
        event: version,
      });
    }
    let offset = begin;
    for (const { second, message } of messages) {
      const place = { partition, offset, recordedAt: at(second) };
      offset += 1;
      const full = writer.add(
        message === undefined
          ? { ...plain, ...place, kind: "tick", event: null }
          : { ...place, kind: "message", key: Buffer.from("cam"), headers: [], event: message },
      );
      if (full !== undefined) await full;
    }
  }
  await writer.beginCatalog();
  for (const [offset, event] of catalog.entries()) {
    await writer.add({ ...plain, kind: "catalog", partition: 0, offset, recordedAt: at(0), event });
  }
  return writer.finish();
}
