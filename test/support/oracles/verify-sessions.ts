// Checks replay sessions of a whole recording through the REST interface. Their receivers must get the same signals
// in the same order as the receivers of live subscriptions for the same tracks.
import { openInspector } from "../clients/final-state-inspector.ts";
import { type Ask, askAt } from "../clients/rest-client.ts";
import { launchSystem, type System } from "../running/launch-system.ts";
import { until } from "../running/processes.ts";
import { startStateApi } from "../running/state-api.ts";
import { createStage, playScene } from "../scenes/play-scene.ts";
import { type Recorded, readCamera } from "../scenes/recorded-camera.ts";
import { awaitDelivered, awaitFirstSignal } from "./live-signals.ts";
import { type Reported, startTally, type Tally } from "./signal-tally.ts";

/** Each as a live subscription and as sessions. The state machine hears of them in this order. */
const kinds = {
  batches: { mode: "batch", batch_interval: 10, pixel_proximity_threshold: 50 },
  compositions: { mode: "streaming", signal_type: "zone_state", zone_emit_mode: "composition", heartbeat_seconds: 2 },
  zones: { mode: "streaming", signal_type: "zone_state" },
  tracks: { mode: "streaming", signal_type: "track_state" },
} as const;

type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];
const WORKFLOW = { workflow_name: "verify", workflow_id: "verify" };

const SETTINGS = {
  TRACK_TTL: "5",
  ALLOWED_URL_CIDRS: "127.0.0.0/8",
  // Everything is played at once, and no update may be merged or find the queue full.
  WEBHOOKS_MERGE_AFTER_MS: "86400000",
  WEBHOOKS_QUEUE_SIGNALS: "1000000",
  WEBHOOKS_QUEUE_BYTES: String(16 * 1024 ** 3),
};

/** The state of a zone has all of its tracks, so a crowd in all the zones would take very long. */
const EVERY_ZONE = 5;
/** Tracks of a session; some sessions have one. */
const TOGETHER = 25;
const EVERY_SINGLE = 10;
const SESSIONS_AT_A_TIME = 6;
const PATIENTLY = { timeoutMs: 1_800_000, pauseMs: 500 };

export interface VerifiedSessions {
  readonly sessions: number;
  readonly replayed: number;
}

/** Rejects with the first difference. */
export async function verifySessions(
  stores: Readonly<Record<string, string>>,
  namespace: string,
  { recorded, from, print }: { recorded: Recorded; from: string; print: (text: string) => void },
): Promise<VerifiedSessions> {
  const recording = await readCamera(recorded, from);
  const camera = { ...recording, zones: recording.zones.filter((_, i) => i % EVERY_ZONE === 0) };
  const trackIds = camera.deliveries.flatMap((each) => (each.type === "trackStarted" ? [each.trackId] : []));
  const { system, stop } = await launchSystem(stores, namespace, SETTINGS);
  const inspector = await openInspector(system);
  const live = new Map<Kind, Tally>();
  try {
    const { id, value } = system.token;
    const ask = askAt(await startStateApi(system), { "x-token-id": id, "x-token-value": value });
    await Promise.all([system.start("webhooks"), system.start("replay")]);
    for (const kind of kindNames) live.set(kind, await subscribe(ask, kind, system));
    await awaitFirstSignal(system, () => (live.get("tracks")?.reported.length ?? 0) > 0);
    await playScene(system.client, await createStage(system.client, { cameras: [camera] }));
    await inspector.settled(PATIENTLY.timeoutMs);
    await awaitDelivered(inspector, [...live.values()], print);

    const groups = [
      ...inGroups(trackIds, TOGETHER),
      ...inGroups(trackIds, EVERY_SINGLE).map(([first = ""]) => [first]),
    ];
    const asked = kindNames.flatMap((kind) => groups.map((group) => ({ kind, trackIds: group })));
    let replayed = 0;
    for (const [i, some] of inGroups(asked, SESSIONS_AT_A_TIME).entries()) {
      const compared = some.map(({ kind, trackIds: group }, n) => {
        const wanted = new Set(group);
        const expected = live.get(kind)?.reported.filter((each) => wanted.has(each.trackId)) ?? [];
        return compareSession(ask, { id: `${kind}-${i}-${n}`, kind, trackIds: group, expected });
      });
      for (const count of await Promise.all(compared)) replayed += count;
      print(
        `${recorded.name}: ${i * SESSIONS_AT_A_TIME + some.length} of ${asked.length} sessions, ${replayed} signals`,
      );
    }
    return { sessions: asked.length, replayed };
  } finally {
    await Promise.all([...live.values()].map((tally) => tally.close()));
    await inspector.close();
    await stop();
  }
}

async function subscribe(ask: Ask, kind: Kind, { token }: System): Promise<Tally> {
  const tally = await startTally();
  const credentials = { x_token_id: token.id, x_token_value: token.value };
  const body = { webhook_url: tally.url, credentials, ...WORKFLOW, ...kinds[kind] };
  expectStatus(await ask("POST", `/api/subscriptions/${kind}`, body), 201);
  return tally;
}

interface Session {
  readonly id: string;
  readonly kind: Kind;
  readonly trackIds: readonly string[];
  readonly expected: readonly Reported[];
}

/** Resolves with the number of signals. */
async function compareSession(ask: Ask, { id, kind, trackIds, expected }: Session): Promise<number> {
  const tally = await startTally();
  const path = `/api/replay/${id}`;
  const { mode, ...members } = kinds[kind];
  const asked = { track_ids: trackIds, mode: "auto", speed: "max", processing_mode: mode, webhook_url: tally.url };
  try {
    expectStatus(await ask("POST", path, { ...asked, ...WORKFLOW, ...members }), 201);
    const session = await until(async () => {
      const { body } = await ask("GET", path);
      return body.state === "running" ? undefined : body;
    }, PATIENTLY);
    const of = `${kind} of ${trackIds}`;
    const { state, reason, log, errors, signals_sent } = session;
    if (state !== "finished" || log !== "topic" || errors !== 0 || signals_sent !== tally.reported.length)
      throw new Error(`${of}: ${JSON.stringify({ state, reason, log, errors, signals_sent })}`);
    const at = Array.from({ length: Math.max(expected.length, tally.reported.length) }, (_, i) => i).find(
      (i) => tally.reported[i]?.digest !== expected[i]?.digest,
    );
    if (at === undefined) return expected.length;
    const counts = `${tally.reported.length} for ${expected.length} signals`;
    throw new Error(`${of}: ${counts}; at ${at} ${JSON.stringify([tally.reported[at], expected[at]])}`);
  } finally {
    await ask("DELETE", path);
    await tally.close();
  }
}

function expectStatus({ status, body }: { readonly status: number; readonly body: unknown }, expected: number): void {
  if (status !== expected) throw new Error(`answered ${status} ${JSON.stringify(body)}`);
}

const inGroups = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
