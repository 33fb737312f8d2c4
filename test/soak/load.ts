// The mixed load of a soak: cameras, questions, subscribers that come and go, webhooks, replays, live state,
// corrections.
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../schemas/errors.ts";
import { type Camera, createCameras, pace, replaceTracks, sendFrame } from "../bench/camera-load.ts";
import { answering, type Receiver, startReceiver } from "../support/clients/receivers.ts";
import { subscribe } from "../support/clients/subscriber.ts";
import type { System } from "../support/running/launch-system.ts";
import { subscriptionBody } from "../support/scenes/subscription-body.ts";
import { square } from "../support/scenes/zone.ts";

export interface SoakLoad {
  /** Returns how often each kind of work was done so far. */
  counts(): Readonly<Record<string, number>>;
  /** Answers other than success, e.g. `track 404`, with how often they came. */
  refusals(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

const CAMERAS = 6;
const TRACKS = 10;
const FRAMES_PER_SECOND = 18;
const TURN_SECONDS = 20;
const SUBSCRIBERS = 12;
/** Longer than a receiver's messages may lie in memory. */
const KEPT_MESSAGES = 1_000;

/** `restUrl`: of state-api. Runs until it is stopped. */
export async function startSoakLoad(system: System, restUrl: string): Promise<SoakLoad> {
  const { client, token } = system;
  const counts: Record<string, number> = {};
  const refusals: Record<string, number> = {};
  const count = (what: string, n = 1) => {
    counts[what] = (counts[what] ?? 0) + n;
  };
  const refuse = (what: string) => {
    refusals[what] = (refusals[what] ?? 0) + 1;
  };
  let running = true;
  const healthy = await startReceiver();
  const broken = await startReceiver(answering(500));
  const cameras = await createCameras(client, CAMERAS, TRACKS);
  const ended: string[][] = [];
  for (const camera of cameras) await createZones(camera);

  async function createZones({ dataSourceId }: Camera): Promise<void> {
    for (const [left, top] of [
      [100, 100],
      [700, 200],
      [1_200, 500],
    ] as const) {
      const polygon = { coordinates: [square(400, left, top)] };
      const zone = { id: `${dataSourceId}-${left}`, dataSourceId, name: `zone ${left}`, polygon };
      await client.ask("mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }", { zone });
    }
  }

  async function rest(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { "content-type": "application/json", "x-token-id": token.id, "x-token-value": token.value };
    const response = await fetch(`${restUrl}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
    const text = await response.text();
    if (response.ok) count(`${method} ${path.split("/")[2]}`);
    else refuse(`${method} ${path.split("/")[2]} ${response.status}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** Calls `act` again and again with a pause; an error is counted, and the next turn follows. */
  async function repeat(what: string, pauseMs: number, act: (turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 0; running; turn++) {
      try {
        await act(turn);
        count(what);
      } catch (error) {
        refuse(`${what} ${messageOf(error).slice(0, 160)}`);
      }
      await delay(pauseMs);
    }
  }

  /** A frame that fails is counted: its camera goes on with the next one. */
  async function send(camera: Camera): Promise<void> {
    try {
      const { answer, detections } = await sendFrame(client, camera);
      if (answer.errors === undefined) count("detections", detections);
      else refuse(`detections ${answer.errors[0]?.extensions.code}`);
    } catch (error) {
      refuse(`detections ${messageOf(error)}`);
    }
  }

  const record = repeat("turns of tracks", 0, async () => {
    await pace(cameras, { framesPerSecond: FRAMES_PER_SECOND, seconds: TURN_SECONDS }, send);
    for (const camera of cameras) {
      ended.push([...camera.trackIds]);
      await replaceTracks(client, camera, TRACKS);
    }
    ended.splice(0, Math.max(0, ended.length - 4 * CAMERAS));
  });

  const correct = repeat("corrections", 2_000, async (turn) => {
    const id = cameras[turn % CAMERAS]?.trackIds[turn % TRACKS];
    const tag = ["person", "car", "bicycle"][turn % 3];
    await client.ask("mutation ($track: UpdateTrackInput!) { updateTrack(track: $track) { id } }", {
      track: { id, tag },
    });
  });

  const ask = repeat("queries", 250, async (turn) => {
    const dataSourceId = cameras[turn % CAMERAS]?.dataSourceId;
    const time = { between: [new Date(Date.now() - 120_000).toISOString(), new Date().toISOString()] };
    const [query, variables] = questions(dataSourceId, time)[turn % 5] ?? ["{ sites { edges { node { id } } } }", {}];
    await client.ask(query, variables);
  });

  const live = repeat("live state", 200, async (turn) => {
    const camera = cameras[turn % CAMERAS];
    await rest("GET", `/api/tracks/${camera?.trackIds[turn % TRACKS]}`);
    await rest("GET", `/api/zones/${camera?.dataSourceId}-100`);
  });

  const events = repeat("events", 1_000, async (turn) => {
    const scope_id = ended.at(-1)?.[turn % TRACKS] ?? "nobody";
    await rest("POST", `/api/events/${scope_id}`, {
      workflow_id: `w${turn % 7}`,
      workflow_name: "soak",
      scope_type: "track",
      conditions_met: turn % 3 > 0,
    });
  });

  const subscribers = Array.from({ length: SUBSCRIBERS }, (_, i) =>
    repeat("subscriptions", 100, async (turn) => {
      const dataSourceId = { eq: cameras[(i + turn) % CAMERAS]?.dataSourceId };
      const query = i % 2 === 0 ? INTERSECTIONS : DETECTIONS;
      const tags = Array.from({ length: 200 }, (_, n) => `tag-${turn}-${n}`);
      const filter = i % 2 === 0 ? { dataSourceId } : { dataSourceId, tag: { in: [...tags, "person", "car"] } };
      const subscription = await subscribe({ url: system.url, token, query, variables: { filter } });
      await delay(3_000 + 500 * i);
      count("messages", subscription.received.length);
      const over = subscription.over();
      subscription.drop();
      if (over !== undefined) throw new Error(over);
    }),
  );

  for (const [id, receiver, given] of [
    ["tracks", healthy, { signal_type: "track_state", heartbeat_seconds: 5 }],
    ["zones", healthy, { signal_type: "zone_state" }],
    ["batches", healthy, { mode: "batch", batch_interval: 10 }],
    ["broken", broken, { signal_type: "track_state" }],
  ] as const) {
    const body = subscriptionBody(
      { "x-token-id": token.id, "x-token-value": token.value },
      { ...given, webhook_url: receiver.url },
    );
    await rest("POST", `/api/subscriptions/${id}`, body);
  }

  const replay = repeat("replays", 5_000, async (turn) => {
    const track_ids = ended[0];
    if (track_ids === undefined) return;
    await rest("POST", `/api/replay/soak-${turn}`, { track_ids, mode: "auto", speed: "max", webhook_url: healthy.url });
    if (turn % 4 === 3) await rest("GET", `/api/replay/soak-${turn - 3}`);
    if (turn % 10 === 9) await rest("DELETE", `/api/replay/soak-${turn - 9}`);
  });

  const forget = repeat("receivers", 5_000, async () => {
    count("webhooks", forgetReceived(healthy));
    count("refused webhooks", forgetReceived(broken));
  });

  const all = [record, correct, ask, live, events, replay, forget, ...subscribers];
  return {
    counts: () => counts,
    refusals: () => refusals,
    async stop() {
      running = false;
      await Promise.all(all);
      await Promise.all([healthy.close(), broken.close()]);
    },
  };
}

const INTERSECTIONS = `subscription ($filter: FilterZoneIntersectionMessageInput) {
  zoneIntersections(filter: $filter) { state message { id track { id tag } zone { name } } } }`;
const DETECTIONS = `subscription ($filter: FilterDetectionActivityInput) {
  detectionActivity(filter: $filter) { id timestamp track { id tag dataSource { name } } } }`;

/** Each with its variables. */
function questions(dataSourceId: string | undefined, time: object): (readonly [string, object])[] {
  const filter = { dataSourceId: { eq: dataSourceId }, time };
  return [
    [
      `query ($filter: FilterTrackInput!) { tracks(filter: $filter, first: 50) { totalCount edges { node { id tag } } } }`,
      { filter },
    ],
    [
      `query ($filter: FilterDetectionInput!) { detections(filter: $filter, first: 100) { edges { node { id timestamp track { tag } } } } }`,
      { filter },
    ],
    [
      `query ($filter: FilterZoneIntersectionInput!) { zoneIntersections(filter: $filter, first: 50) { totalCount edges { node { id track { tag } zone { name } } } } }`,
      { filter },
    ],
    [`{ dataSources(filter: { name: { like: "bench" } }) { edges { node { id name zones { id name } } } } }`, {}],
    [`{ tags(first: 20) { edges { node { id } } } sites { edges { node { id } } } }`, {}],
  ];
}

/** Empties what the receiver remembers, so that the soak itself stays flat. */
function forgetReceived({ received }: Receiver): number {
  return (received as unknown[]).splice(0, Math.max(0, received.length - KEPT_MESSAGES)).length;
}
