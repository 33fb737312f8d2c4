// The scene of a camera as it is now. Subscriptions bring only what is new, so a query brings what was there before.
// They begin first: what both bring counts once, and nothing falls between them.

import type { App } from "../parts/app.ts";
import type { Scene, SceneZone } from "../picture/scene.ts";
import type { Point, Ring } from "../picture/view.ts";
import { type ApiError, shownError } from "./errors.ts";
import { SceneFold, SILENCE_MS } from "./scene-fold.ts";

export interface LiveScene {
  readonly scene: Scene;
  /** The first refusal; the picture goes on with what it has. */
  readonly error: ApiError | undefined;
  /** Whether the first answers have come. */
  readonly isReady: boolean;
  reloadZones(): void;
  stop(): void;
}

const DETECTION = /* GraphQL */ `
  fragment Seen on Detection {
    timestamp
    polygon { coordinates }
    position { coordinates }
    track { id tag }
  }
`;

const DETECTIONS = /* GraphQL */ `
  ${DETECTION}
  subscription LiveDetections($id: ID!) {
    detectionActivity(filter: { dataSourceId: { eq: $id } }) { ...Seen }
  }
`;

const STAYS = /* GraphQL */ `
  subscription LiveStays($id: ID!) {
    zoneIntersections(filter: { dataSourceId: { eq: $id } }) {
      message { id startTime endTime zone { id } track { id } }
    }
  }
`;

const ENDS = /* GraphQL */ `
  subscription LiveEnds($id: ID!) {
    tracks(filter: { dataSourceId: { eq: $id }, state: { eq: END } }) { message { id endTime } }
  }
`;

const PRESENT = /* GraphQL */ `
  ${DETECTION}
  query Present($id: ID!, $time: FilterDateTimeOffsetInput!) {
    detections(
      filter: { dataSourceId: { eq: $id }, time: $time }
      first: 1000
      sort: [{ field: DETECTION_TIME, direction: DESC }]
    ) {
      edges { node { ...Seen } }
    }
    tracks(filter: { dataSourceId: { eq: $id }, finished: { eq: false } }, first: 1000) {
      edges { node { id zoneIntersections { id startTime endTime zone { id } } } }
    }
  }
`;

const ZONES = /* GraphQL */ `
  query ZonesOfCamera($id: ID!) {
    zones(filter: { dataSourceId: { eq: $id } }, first: 1000) {
      edges { node { id name active updatedAt polygon { coordinates } } }
    }
  }
`;

interface DetectionNode {
  readonly timestamp: string;
  readonly polygon: { readonly coordinates: readonly Ring[] } | null;
  readonly position: { readonly coordinates: Point } | null;
  readonly track: { readonly id: string; readonly tag: string };
}

interface StayNode {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly zone: { readonly id: string };
}

interface Edges<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

interface PresentAnswer {
  readonly detections: Edges<DetectionNode>;
  readonly tracks: Edges<{ readonly id: string; readonly zoneIntersections: readonly StayNode[] | null }>;
}

interface ZoneNode {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly updatedAt: string | null;
  readonly polygon: { readonly coordinates: readonly Ring[] };
}

const SWEEP_MS = 1_000;
const ZONES_MS = 20_000;
/** The history may lag the log; after this time it has what was recorded before the subscriptions began. */
const SETTLED_MS = 3_000;
/** Between two clocks. */
const CLOCK_SKEW_MS = 5_000;

/** @param onChange is called after each message. */
export function createLiveScene(app: App, dataSourceId: string, onChange: () => void): LiveScene {
  const fold = new SceneFold();
  const stopped = new AbortController();
  let zones: readonly SceneZone[] = [];
  let error: ApiError | undefined;
  let isReady = false;
  const id = dataSourceId;
  const onError = (reason: unknown) => {
    if (stopped.signal.aborted) return;
    error ??= shownError(reason);
    onChange();
  };

  function follow<Data>(document: string, onData: (data: Data) => void): () => void {
    return app.live.follow<Data>(
      document,
      { id },
      (data) => {
        onData(data);
        onChange();
      },
      onError,
    );
  }

  function add({ track, timestamp, polygon, position }: DetectionNode): void {
    const at = Date.parse(timestamp);
    const ring = polygon?.coordinates[0] ?? [];
    fold.detection(
      { trackId: track.id, tag: track.tag, at, ring, position: position?.coordinates ?? null },
      Date.now(),
    );
  }

  const ends = [
    follow<{ detectionActivity: DetectionNode }>(DETECTIONS, (data) => add(data.detectionActivity)),
    follow<{ zoneIntersections: { message: StayNode & { track: { id: string } } } }>(
      STAYS,
      ({ zoneIntersections: { message } }) => fold.stay(stayOf(message, message.track.id), Date.now()),
    ),
    follow<{ tracks: { message: { id: string; endTime: string } } }>(ENDS, ({ tracks: { message } }) =>
      fold.trackEnded(message.id, Date.parse(message.endTime), Date.now()),
    ),
  ];

  async function askPresent(): Promise<void> {
    const now = Date.now();
    const time = { between: [now - SILENCE_MS, now + CLOCK_SKEW_MS].map((ms) => new Date(ms).toISOString()) };
    const { detections, tracks } = await app.ask<PresentAnswer>(PRESENT, { id, time }, stopped.signal);
    for (const { node } of [...detections.edges].reverse()) add(node);
    for (const { node } of tracks.edges)
      for (const stay of node.zoneIntersections ?? []) if (stay.endTime === null) fold.openStay(stayOf(stay, node.id));
    onChange();
  }

  async function askZones(): Promise<void> {
    const answer = await app.ask<{ zones: Edges<ZoneNode> }>(ZONES, { id }, stopped.signal);
    zones = answer.zones.edges.map(({ node }) => zoneOf(node));
    onChange();
  }

  Promise.all([askPresent(), askZones()]).then(() => {
    isReady = true;
    onChange();
  }, onError);
  const settling = setTimeout(() => askPresent().catch(onError), SETTLED_MS);
  const sweeping = setInterval(() => {
    fold.sweep(Date.now());
    onChange();
  }, SWEEP_MS);
  const asking = setInterval(() => askZones().catch(() => {}), ZONES_MS);

  return {
    get scene() {
      return { objects: fold.objects, zones, stays: [...fold.stays], at: Date.now() };
    },
    get error() {
      return error;
    },
    get isReady() {
      return isReady;
    },
    reloadZones: () => void askZones().catch(onError),
    stop: () => {
      stopped.abort();
      clearTimeout(settling);
      clearInterval(sweeping);
      clearInterval(asking);
      for (const end of ends) end();
    },
  };
}

const stayOf = ({ id, startTime, endTime, zone }: StayNode, trackId: string) => ({
  id,
  trackId,
  zoneId: zone.id,
  since: Date.parse(startTime),
  endedAt: endTime === null ? null : Date.parse(endTime),
});

const zoneOf = ({ id, name, active, updatedAt, polygon }: ZoneNode): SceneZone => ({
  id,
  name,
  rings: polygon.coordinates,
  isActive: active,
  updatedAt,
});
