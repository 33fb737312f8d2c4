// Sessions with zones and settings of their own raise what the live system raises with these zones and settings: the
// same walk was recorded by several data sources, and each one but the first has the zones of a session from the start.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { CameraLogEvent, Zone } from "../../../schemas/events.ts";
import { isoTime } from "../../../schemas/identity.ts";
import { type Receiver, startReceiver } from "../../support/clients/receivers.ts";
import { until } from "../../support/running/processes.ts";
import {
  created,
  deleted,
  drawn,
  polygon,
  recordedBy,
  rectangle,
  redrawn,
  seen,
  T0,
  updated,
} from "../../unit/projections/live/camera.ts";
import { createReplaySystem, type ReplaySystem } from "./installation.ts";

const TTL_S = 300;
const FRAME_MS = 500;
const FRAMES = 24;
/** The last track is silent for longer than the shorter and the recorded times to live. */
const PAUSES_S = [150, 400];
const types = ["track_state", "zone_state"] as const;
const workflow = { workflow_name: "gates", workflow_id: "w1" };

/** Every id of a track or zone contains that of its data source, so that texts about two of them can be compared. */
const sources = ["[then]", "[own]", "[now]", "[set]"] as const;
type Source = (typeof sources)[number];
const [RECORDED, OWN, NOW, SET] = sources;
const ELSEWHERE = "elsewhere";

let system: ReplaySystem;
const live = new Map<string, Receiver>();

beforeAll(async () => {
  // The wall clock ends no track while the walk is recorded.
  system = await createReplaySystem({ TRACK_TTL: String(TTL_S) });
  await system.startReplay();
  const [x_token_id, x_token_value] = Object.values(system.token);
  for (const signal_type of types) {
    const hook = await startReceiver();
    live.set(signal_type, hook);
    const body = { webhook_url: hook.url, credentials: { x_token_id, x_token_value }, ...workflow };
    const asked = { ...body, mode: "streaming", signal_type };
    expect((await system.ask("POST", `/api/subscriptions/${signal_type}`, asked)).status).toBe(201);
  }
  for (const source of [...sources, ELSEWHERE]) await system.record(...zonesAtFirst(source));
  await listened();
  for (let frame = 0; frame < FRAMES; frame++) {
    await system.record(...sources.flatMap((source) => [...walk(source, frame), ...drawnMeanwhile(source, frame)]));
  }
  await system.record(...sources.flatMap(afterTheWalk));
  await until(() => sources.every((source) => liveOf("track_state", source).at(-1)?.includes(`last-${source}`)));
  await until(async () => {
    const delivered = types.reduce((count, type) => count + textsOf(live.get(type)).length, 0);
    return delivered === (await system.installation.read("signals")).length;
  });
  await system.record(...drawnAfterwards);
  const moved = `moved-${RECORDED}`;
  await until(async () => (await system.ask("GET", `/api/zones/${moved}`)).body.datasource_id === RECORDED);
  const gone = [`gone-${RECORDED}`, `left-${RECORDED}`];
  await until(async () => {
    const shown = await Promise.all(gone.map((id) => system.ask("GET", `/api/zones/${id}`)));
    return shown.every(({ status, body }) => status === 404 || body.datasource_id === ELSEWHERE);
  });
});

afterAll(async () => {
  await Promise.all([...live.values()].map((hook) => hook.close()));
  await system.close();
});

const area = (x0: number, x1: number, y1 = 100) => polygon(rectangle(x0, 0, x1, y1));

/** The zones by the time for which they count. `own` has settings of zones, and a hole. */
const door = { name: "door", polygon: area(100, 200) };
const wider = { name: "door", polygon: area(60, 240) };
const gone = { name: "gone", polygon: area(0, 120) };
const left = { name: "left", polygon: area(180, 300) };
const moved = { name: "moved", polygon: area(140, 260) };
const late = { name: "late", polygon: area(200, 300) };
const own = {
  hall: { name: "hall", polygon: polygon(rectangle(40, 0, 260, 100), rectangle(120, 40, 170, 60)) },
  edge: { name: "edge", polygon: area(0, 150, 60), anchor: "bottom_center", enterDetections: 2, exitDelayMs: 700 },
} as const;
const setForAll = { enterDetections: 3, exitDelayMs: 1_200 };

const zoneOf = (source: string, of: Partial<Zone> & { readonly name: string }): Partial<Zone> => ({
  zoneId: `${of.name}-${source}`,
  dataSourceId: source,
  ...of,
});

function zonesAtFirst(source: string): CameraLogEvent[] {
  const zones: Readonly<Record<string, readonly (Partial<Zone> & { readonly name: string })[]>> = {
    [RECORDED]: [door, gone, left],
    [OWN]: Object.values(own),
    [NOW]: [wider, moved, late],
    [SET]: [door, gone, left].map((each) => ({ ...each, ...setForAll })),
  };
  if (source === ELSEWHERE) return [drawn({ ...zoneOf(RECORDED, moved), dataSourceId: ELSEWHERE })];
  return (zones[source] ?? []).map((each) => drawn(zoneOf(source, each)));
}

/** In the middle of the walk a zone is redrawn where the recorded zones count. */
function drawnMeanwhile(source: Source, frame: number): CameraLogEvent[] {
  if (frame !== FRAMES / 2 || (source !== RECORDED && source !== SET)) return [];
  const narrower = { ...door, polygon: area(120, 180) };
  return [redrawn(zoneOf(source, source === SET ? { ...narrower, ...setForAll } : narrower))];
}

const drawnAfterwards: readonly CameraLogEvent[] = [
  redrawn(zoneOf(RECORDED, wider)),
  deleted(zoneOf(RECORDED, gone)),
  deleted({ ...zoneOf(RECORDED, left), movedTo: ELSEWHERE }),
  drawn({ ...zoneOf(RECORDED, left), dataSourceId: ELSEWHERE }),
  deleted({ ...zoneOf(RECORDED, moved), dataSourceId: ELSEWHERE, movedTo: RECORDED }),
  drawn(zoneOf(RECORDED, moved)),
  drawn(zoneOf(RECORDED, late)),
];

/** One track crosses, one comes and goes, and detections of it are late. */
function walk(source: Source, frame: number): CameraLogEvent[] {
  const at = frame * FRAME_MS;
  const [crossing, restless] = [`crossing-${source}`, `restless-${source}`];
  const begin = frame === 0 ? [created({ trackId: crossing, dataSourceId: source, startTime: T0 })] : [];
  const detections = [
    seen(at, 12 * frame, { trackId: crossing }),
    seen(at + 50 - (frame % 7 === 6 ? 900 : 0), 150 + (frame % 4 < 2 ? 100 : -20), { trackId: restless }),
  ];
  return [...begin, recordedBy(source, ...detections)];
}

const END = FRAMES * FRAME_MS;
/** Times of the detections of the last track, ms. */
const lastTimes = [0, ...PAUSES_S].map((_, i) => END + PAUSES_S.slice(0, i).reduce((sum, s) => sum + s * 1_000, 0));

function afterTheWalk(source: Source): CameraLogEvent[] {
  const trackIds = ["crossing", "restless"].map((name) => `${name}-${source}`);
  const ends = trackIds.map((trackId) => updated({ trackId, dataSourceId: source, endTime: T0 + END }));
  const last = { trackId: `last-${source}`, dataSourceId: source };
  return [
    ...ends,
    created({ ...last, startTime: T0 + END }),
    ...lastTimes.map((at) => recordedBy(source, seen(at, 130, last))),
    updated({ ...last, endTime: T0 + (lastTimes.at(-1) ?? 0) }),
  ];
}

/** A subscription that is new gets signals only of what is folded after the state machine knows it. */
async function listened(): Promise<void> {
  let ms = -600_000;
  await until(async () => {
    ms += 100;
    const early = sources.flatMap((source) => {
      const track = { trackId: `early-${source}`, dataSourceId: source };
      // A zone of each data source is entered, after three detections at the latest.
      const detections = [0, 1, 2].map((i) => seen(ms + i, 110, track));
      return [recordedBy(source, ...detections), updated({ ...track, endTime: T0 + ms + 3 })];
    });
    await system.record(...early);
    return types.every((type) =>
      sources.every((source) => textsOf(live.get(type)).some((text) => text.includes(source))),
    );
  });
}

const textsOf = (hook: Receiver | undefined): string[] => (hook?.delivered() ?? []).map(({ text }) => text);

const liveOf = (type: string, source: Source): string[] =>
  textsOf(live.get(type)).filter((text) => text.includes(source) && !text.includes("early-"));

/** Bodies as they would be of a data source with another id. */
const anonymous = (texts: readonly string[], source: Source): unknown[] =>
  texts.map((text) => JSON.parse(text.replaceAll(source, "[source]")));

async function replayed(type: string, asked: object): Promise<string[]> {
  const hook = await startReceiver();
  onTestFinished(hook.close);
  const range = { data_source_ids: [RECORDED], from: isoTime(T0), to: isoTime(T0 + 3_600_000) };
  const id = `choice-${crypto.randomUUID()}`;
  const begun = await system.ask("POST", `/api/replay/${id}`, {
    ...{ range, mode: "auto", speed: "max", webhook_url: hook.url, signal_type: type, ...workflow },
    ...asked,
  });
  expect({ status: begun.status, body: begun.body }).toMatchObject({ status: 201 });
  expect(await system.ended(id)).toMatchObject({ state: "finished", reason: null, log: "topic", errors: 0 });
  return textsOf(hook);
}

const featureOf = ({ name, polygon: { rings }, ...more }: (typeof own)["hall" | "edge"]) => ({
  type: "Feature",
  properties: {
    ...{ zone_id: `${name}-${RECORDED}`, name },
    ...("anchor" in more ? { anchor: more.anchor, enter_detections: more.enterDetections } : {}),
    ...("exitDelayMs" in more ? { exit_delay: more.exitDelayMs / 1_000 } : {}),
  },
  geometry: { type: "Polygon", coordinates: rings.map(pointsOf) },
});

const pointsOf = (ring: readonly number[]): number[][] =>
  ring.flatMap((x, i) => (i % 2 === 0 ? [[x, ring[i + 1] ?? 0]] : []));

const collection = { type: "FeatureCollection", features: Object.values(own).map(featureOf) };

test.each([
  ["the zones of then", RECORDED, {}],
  ["zones of the request", OWN, { zones: collection }],
  ["the present zones, of which some were redrawn, drawn, deleted and moved", NOW, { zones: "now" }],
  ["the zones of then with other settings", SET, { settings: { exit_delay: 1.2, enter_detections: 3 } }],
])("%s give the signals of a live data source with these zones", async (_what, source, asked) => {
  for (const type of types) {
    const expected = anonymous(liveOf(type, source), source);
    const recorded = anonymous(liveOf(type, RECORDED), RECORDED);

    expect(expected.length).toBeGreaterThan(10);
    if (source !== RECORDED) expect(expected).not.toEqual(recorded);
    expect(anonymous(await replayed(type, asked), RECORDED)).toEqual(expected);
  }
});

/** A new stretch begins after a pause that is longer than the time to live. */
function stretchesOf(ttlS: number): string[] {
  const begun = (at: number) => `track_created ${isoTime(T0 + at)}`;
  const over = (at: number) => `track_expired ${isoTime(T0 + at)}`;
  return lastTimes
    .flatMap((at, i) => {
      const pauseS = PAUSES_S[i - 1];
      if (pauseS === undefined) return [begun(at)];
      return pauseS > ttlS ? [over((lastTimes[i - 1] ?? 0) + ttlS * 1_000), begun(at)] : [];
    })
    .concat(over(lastTimes.at(-1) ?? 0));
}

test.each([
  ["shorter than both pauses", 100],
  ["longer than one pause", 200],
  ["longer than both pauses, to a fraction of a millisecond,", 599.999_4],
])("a time to live that is %s of a track divides it accordingly", async (_what, ttlS) => {
  const last = `last-${RECORDED}`;
  const texts = await replayed("track_state", { settings: { track_ttl: ttlS } });

  const stages = texts.flatMap((text) => {
    const { signal, track_state: state } = JSON.parse(text);
    if (state.track_id !== last || signal === "track_updated") return [];
    return [`${signal} ${signal === "track_created" ? state.first_seen : state.track_end}`];
  });
  expect(stages).toEqual(stretchesOf(ttlS));
});
