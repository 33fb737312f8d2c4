// Two cameras whose producers number their tracks alike, compress what they send, and correct tags afterwards. They
// write straight to the log, each key to its own partition.
import { setTimeout as delay } from "node:timers/promises";
import kafkajs, { type CompressionTypes } from "kafkajs";
import type { Detection } from "../../../schemas/events.ts";
import type { Inspector } from "../clients/final-state-inspector.ts";
import { intersectionsInClickHouse } from "../clients/history-reader.ts";
import { firstDifference } from "../oracles/compare.ts";
import { expectedIntersections, type OracleDetection } from "../oracles/oracle.ts";
import { useCompression } from "../running/compress.ts";
import type { PreparedSystem } from "../running/launch-system.ts";
import { settled } from "../running/settled.ts";
import { detection } from "./detection.ts";
import { patientClient } from "./load.ts";
import { produce, type Reported } from "./produce.ts";
import { square } from "./zone.ts";

export interface Twins {
  readonly dataSourceIds: readonly string[];
  begin(): void;
  /** Returns the tracks that were sent, as `data source/track`. */
  tracks(): readonly string[];
  /** Resolves when the log has everything that was begun; then with the first difference, if any. */
  stop(): Promise<() => Promise<string | undefined>>;
}

interface Twin {
  readonly dataSourceId: string;
  readonly zoneId: string;
  /** Pixels to the right per frame. */
  readonly speed: number;
  readonly tag: string;
  readonly sent: OracleDetection[];
}

const TRACKS = 5;
const FRAMES_PER_GENERATION = 40;
const FRAME_MS = 200;
const PAUSE_MS = 400;
const START = Date.parse("2026-01-01T00:00:00.000Z");
const ZONE_PX = 300;
const { None, GZIP, Snappy, LZ4, ZSTD } = kafkajs.CompressionTypes;
const COMPRESSIONS: readonly CompressionTypes[] = [GZIP, Snappy, LZ4, ZSTD, None];
/** The tag of every track of the first camera after its correction. */
const CORRECTED = "corrected";

export async function startTwins(system: PreparedSystem, inspector: Inspector, ttlMs: number): Promise<Twins> {
  useCompression();
  const client = patientClient(system.client);
  const twins: readonly Twin[] = [
    { ...(await createCamera("left twin")), speed: 15, tag: "left", sent: [] },
    { ...(await createCamera("right twin")), speed: -11, tag: "right", sent: [] },
  ];
  let running = true;
  let frame = 0;

  async function createCamera(name: string) {
    const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
      "mutation ($name: String!) { createDataSource(dataSource: { name: $name, type: VIDEO_DEVICE }) { id } }",
      { name },
    );
    const dataSourceId = createDataSource.id;
    const zone = { dataSourceId, name, polygon: { coordinates: [square(ZONE_PX)] } };
    const { createZone } = await client.ask<{ createZone: { id: string } }>(
      "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }",
      { zone },
    );
    return { dataSourceId, zoneId: createZone.id };
  }

  async function sendFrame(): Promise<void> {
    const compression = COMPRESSIONS[frame % COMPRESSIONS.length];
    await produce(
      inspector,
      twins.flatMap((twin) => eventsOf(twin, frame)),
      compression,
    );
    for (const twin of twins) twin.sent.push(...detectionsOf(twin, frame).map(toOracle));
    frame++;
  }

  async function work(): Promise<void> {
    while (running) {
      await sendFrame();
      await delay(PAUSE_MS);
    }
  }

  const stays = () =>
    intersectionsInClickHouse(
      system.env,
      twins.map(({ dataSourceId }) => dataSourceId),
    );
  const oracle = () =>
    twins.flatMap(({ sent, zoneId }) =>
      expectedIntersections({ detections: sent, zones: [{ zoneId, rings: [square(ZONE_PX)] }], ttlMs }),
    );

  /** The numbers of tracks and intersections that the API finds by their tags. */
  async function tagsDiffer(): Promise<string | undefined> {
    const expected = oracle();
    for (const { dataSourceId, zoneId, tag } of twins) {
      const own = expected.filter((stay) => stay.zoneId === zoneId);
      const corrected = own.filter(({ trackId }) => tag === "left" && isCorrected(trackId, frame));
      const counts = { [tag]: own.length - corrected.length, [CORRECTED]: corrected.length };
      for (const [wanted, count] of Object.entries(counts)) {
        const filter = { dataSourceId: { eq: dataSourceId }, tag: { eq: wanted }, time: { between: ALL_TIMES } };
        const { page } = await client.ask<{ page: { totalCount: number } }>(
          "query ($filter: FilterZoneIntersectionInput!) { page: zoneIntersections(filter: $filter, first: 1) { totalCount } }",
          { filter },
        );
        if (page.totalCount !== count) {
          return `${page.totalCount} intersections of the ${tag} twin are tagged ${wanted}, not ${count}`;
        }
      }
    }
    return undefined;
  }

  async function differs(): Promise<string | undefined> {
    return firstDifference({ oracle: oracle(), stored: await stays() }) ?? (await tagsDiffer());
  }

  let working: Promise<void> | undefined;
  return {
    dataSourceIds: twins.map(({ dataSourceId }) => dataSourceId),
    begin() {
      working = work();
      working.catch(() => undefined);
    },
    tracks: () =>
      twins.flatMap(({ dataSourceId, sent }) => [...new Set(sent.map(({ trackId }) => `${dataSourceId}/${trackId}`))]),
    async stop() {
      running = false;
      await working;
      return async () => {
        await settled(async () => (await differs()) === undefined);
        return differs();
      };
    },
  };
}

const ALL_TIMES = ["1970-01-01T00:00:00Z", "2200-01-01T00:00:00Z"];

const generationOf = (frame: number): number => Math.floor(frame / FRAMES_PER_GENERATION);
const trackIdOf = (generation: number, i: number): string => `twin-${generation}-${i}`;

/** The first camera corrects the tracks of a generation when the next one begins. */
const isCorrected = (trackId: string, frames: number): boolean =>
  Number(trackId.split("-")[1]) < generationOf(frames - 1);

function eventsOf(twin: Twin, frame: number): Reported[] {
  const { dataSourceId: key, tag } = twin;
  const generation = generationOf(frame);
  const begins = frame % FRAMES_PER_GENERATION === 0;
  const detections = detectionsOf(twin, frame);
  const corrections = begins && generation > 0 && tag === "left" ? trackIdsOf(generation - 1).map(correctionOf) : [];
  const recorded: Reported = { key, type: "DetectionsRecorded", event: { dataSourceId: key, detections } };
  return [...corrections, ...(begins ? trackIdsOf(generation).map(creationOf) : []), recorded];

  function creationOf(trackId: string): Reported {
    const [startTime, none] = [START + frame * FRAME_MS, { endTime: null, modelId: null, properties: null }];
    const event = { trackId, dataSourceId: key, tag, startTime, ...none, metadata: null, detections: [] };
    return { key, type: "TrackCreated", event };
  }

  function correctionOf(trackId: string): Reported {
    const unchanged = { startTime: null, endTime: null, properties: null, metadata: null };
    const event = { trackId, dataSourceId: key, tag: CORRECTED, ...unchanged, cleared: [], detections: [] };
    return { key, type: "TrackUpdated", event };
  }
}

const trackIdsOf = (generation: number): string[] => Array.from({ length: TRACKS }, (_, i) => trackIdOf(generation, i));

function detectionsOf({ speed }: Twin, frame: number): Detection[] {
  return trackIdsOf(generationOf(frame)).map((trackId, i) => {
    const left = 200 + 40 * i + speed * (frame % FRAMES_PER_GENERATION);
    const polygon = { rings: [square(20, left, 50).flat()], crs: null };
    return detection({ trackId, timestamp: START + frame * FRAME_MS, polygon });
  });
}

function toOracle({ trackId, timestamp, polygon }: Detection): OracleDetection {
  const flat = polygon?.rings[0] ?? [];
  const ring = Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? 0, flat[2 * i + 1] ?? 0]);
  return { trackId, timestamp, ring };
}
