// npm run replay, and the lines of docs/replaying.md, on a scene that live subscriptions saw.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { isoTime } from "../../../schemas/identity.ts";
import { jsonOf } from "../../../schemas/json.ts";
import { ROOT, readText } from "../../structure/repository.ts";
import { type Receiver, startReceiver } from "../../support/clients/receivers.ts";
import { processEnv, until } from "../../support/running/processes.ts";
import { created, drawn, INSIDE, OUTSIDE, recorded, seen, T0, updated } from "../../unit/projections/live/camera.ts";
import { createReplaySystem, type ReplaySystem } from "./installation.ts";

const folder = await mkdtemp(join(tmpdir(), "tracklog-replaying-"));
const live = new Map<string, Receiver>();
let system: ReplaySystem;

const at = (trackId: string, ms: number, x: number) => seen(ms, x, { trackId });

beforeAll(async () => {
  system = await createReplaySystem();
  const set = { name: "gate", type: "VIDEO_DEVICE", labels: null };
  await system.publish("DataSourceChanged", { id: "cam", at: T0, change: "created", set, cleared: [] } as never);
  for (const signal_type of ["track_state", "zone_state"]) {
    const hook = await startReceiver();
    live.set(signal_type, hook);
    const [x_token_id, x_token_value] = Object.values(system.token);
    const { status } = await system.ask("POST", `/api/subscriptions/${signal_type}`, {
      ...{ webhook_url: hook.url, credentials: { x_token_id, x_token_value }, workflow_name: "gates" },
      ...{ mode: "streaming", signal_type },
    });
    expect(status).toBe(201);
  }
  await listened();
  await record();
});

afterAll(async () => {
  await Promise.all([...live.values()].map((hook) => hook.close()));
  await system.close();
  await rm(folder, { recursive: true });
});

/** A subscription that is new gets signals only of what is folded after the state machine knows it. */
async function listened(): Promise<void> {
  await system.record(drawn());
  let ms = -600_000;
  await until(async () => {
    ms += 100;
    const trackId = `early${ms}`;
    await system.record(recorded(at(trackId, ms, INSIDE)), updated({ trackId, endTime: T0 + ms }));
    return [...live.values()].every(({ received }) => received.length > 0);
  });
}

/** A track c is there all the time, a crosses the zone, and b comes at the end. */
async function record(): Promise<void> {
  await system.record(created({ trackId: "c", tag: "car", startTime: T0 }), recorded(at("c", 0, INSIDE)));
  for (let ms = 500; ms <= 4_000; ms += 500) {
    const a = at("a", ms, ms < 1_500 || ms > 2_500 ? OUTSIDE : INSIDE);
    await system.record(recorded(a, at("c", ms, INSIDE), ...(ms > 2_000 ? [at("b", ms, ms / 20)] : [])));
  }
  for (const trackId of ["a", "b", "c"]) await system.record(updated({ trackId, endTime: T0 + 4_200 }));
  await until(() => sentTo("track_state").filter(({ signal }) => signal === "track_expired").length >= 3);
  await until(() =>
    sentTo("zone_state").some(({ signal, zone_state }) => signal === "zone_empty" && isOfScene(zone_state)),
  );
}

interface Body {
  readonly signal: string;
  readonly track_state?: State;
  readonly zone_state?: State;
}
type State = Readonly<Record<string, unknown>>;

const isOfScene = (state: State | undefined) => String(state?.["updated_at"] ?? state?.["last_seen"]) >= isoTime(T0);

const sentTo = (type: string): Body[] =>
  (live.get(type)?.delivered() ?? []).flatMap(({ text }) => {
    const body: Body = JSON.parse(text);
    const track = String(body.track_state?.["track_id"] ?? body.zone_state?.["trigger_track_id"]);
    return track.startsWith("early") ? [] : [body];
  });

/** Runs `npm run replay`; npm itself would take longer than the command. */
async function replay(...args: readonly string[]) {
  const env = { ...processEnv, ...system.installation.variables };
  const script: string = JSON.parse(readText("package.json")).scripts.replay;
  const [, ...words] = script.split(" ");
  const done = promisify(execFile)(process.execPath, [...words, ...args], { cwd: ROOT, env });
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

const file = (name: string) => join(folder, name);
const linesOf = async (name: string) =>
  (await readFile(file(name), "utf8")).split("\n").flatMap((line) => (line === "" ? [] : [jsonOf(line) as Line]));

interface Line {
  readonly signal_type: string;
  readonly signal: string;
  readonly state: State;
}

/** The catalog gives the names when a signal is delivered. */
function withoutNames({ datasource_name, ...state }: State): State {
  expect(datasource_name).toBeNull();
  return state;
}

test("the signals of tracks and zones are those that the live subscriptions were sent", async () => {
  const { code, stderr, stdout } = await replay("--tracks", "a,b,c", "--out", file("tracks.ndjson"));

  expect([code, stderr]).toEqual([0, stderr]);
  const lines = await linesOf("tracks.ndjson");
  for (const type of ["track_state", "zone_state"] as const) {
    const own = lines.filter(({ signal_type }) => signal_type === type);
    expect(own.length).toBeGreaterThan(5);
    expect(sentTo(type)).toMatchObject(own.map(({ signal, state }) => ({ signal, [type]: withoutNames(state) })));
  }
  expect(stdout).toContain(`signals   ${lines.length}, track_created 3,`);
  const again = await replay("--tracks", "a", "--out", file("tracks.ndjson"));
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("exists already; --force overwrites it.") });
});

test("the same tracks are compared with the signals of then, with the zones of then and with others", async () => {
  const lines = await linesOf("tracks.ndjson");
  const same = await replay("--tracks", "a,b,c", "--compare", "then");
  const one = await replay("--tracks", "a", "--compare", "then", "--subscription", "zone_state");
  const other = await replay(
    "--tracks",
    "a,b,c",
    "--compare",
    "then",
    "--zones",
    await zonesFile({ id: "z", dataSourceId: "cam" }, 140, 200),
  );

  expect([same.code, same.stdout]).toEqual([0, expect.stringContaining(`compared  same ${lines.length}, changed 0,`)]);
  expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/^compared {2}same [1-9]/m)]);
  expect([other.code, other.stdout]).toEqual([1, expect.stringMatching(/^ 1 (changed|missing|new) {2}\w+ \w+ cam /m)]);
});

/** A zone from x0 to x1. */
async function zonesFile(properties: object, x0: number, x1: number): Promise<string> {
  const ring = [
    [x0, 0],
    [x1, 0],
    [x1, 100],
    [x0, 100],
    [x0, 0],
  ];
  const zone = {
    type: "Feature",
    properties: { name: "door", ...properties },
    geometry: { type: "Polygon", coordinates: [ring] },
  };
  await writeFile(file("zones.geojson"), JSON.stringify({ type: "FeatureCollection", features: [zone] }));
  return file("zones.geojson");
}

test("a receiver gets the signals as from a session, signed", async () => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
  const hook = await startReceiver();
  onTestFinished(hook.close);

  const done = await replay("--tracks", "a", "--signals", "zone_state", "--to", hook.url, "--secret", secret);

  const bodies = hook.received.map(({ headers, text }) => new Webhook(secret).verify(text, headers as never) as Body);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(`delivered ${bodies.length}\n`) });
  const own = sentTo("zone_state").filter(({ zone_state }) => zone_state?.["trigger_track_id"] === "a");
  expect(own.length).toBeGreaterThan(1);
  expect(bodies.map(({ signal, zone_state }) => ({ signal, zone_state }))).toEqual(
    own.map(({ signal, zone_state }) => ({ signal, zone_state })),
  );
});
