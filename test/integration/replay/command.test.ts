// npm run replay, and the lines of docs/replaying.md, on a scene that live subscriptions saw.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { isoTime } from "../../../schemas/identity.ts";
import { jsonOf } from "../../../schemas/json.ts";
import { runReplay } from "../../../services/cli/replay/run-replay.ts";
import { ROOT, readText } from "../../structure/repository.ts";
import { type Receiver, startReceiver } from "../../support/clients/receivers.ts";
import { processEnv, until } from "../../support/running/processes.ts";
import {
  created,
  drawn,
  INSIDE,
  OUTSIDE,
  recorded,
  redrawn,
  seen,
  T0,
  updated,
} from "../../unit/projections/live/camera.ts";
import { createReplaySystem, type ReplaySystem } from "./installation.ts";

const folder = await mkdtemp(join(tmpdir(), "tracklog-replaying-"));
const live = new Map<string, Receiver>();
let system: ReplaySystem;

const at = (trackId: string, ms: number, x: number) => seen(ms, x, { trackId });
const END = 4_000;

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

/** A track c is there all the time, a crosses the zone, and b comes at the end. Then the zone is drawn elsewhere. */
async function record(): Promise<void> {
  await system.record(created({ trackId: "c", tag: "car", startTime: T0 }), recorded(at("c", 0, INSIDE)));
  for (let ms = 500; ms <= END; ms += 500) {
    const a = at("a", ms, ms < 1_500 || ms > 2_500 ? OUTSIDE : INSIDE);
    await system.record(recorded(a, at("c", ms, INSIDE), ...(ms > 2_000 ? [at("b", ms, ms / 20)] : [])));
  }
  for (const trackId of ["a", "b", "c"]) await system.record(updated({ trackId, endTime: T0 + 4_200 }));
  await until(() => sentTo("track_state").filter(({ signal }) => signal === "track_expired").length >= 3);
  await until(() => sentTo("zone_state").at(-1)?.signal === "zone_empty");
  await system.record(redrawn({ polygon: { rings: [[0, 0, 160, 0, 160, 100, 0, 100, 0, 0]], crs: null } }));
  await until(async () => (await system.installation.read("zones")).length >= 2);
}

type State = Readonly<Record<string, unknown>>;

interface Body {
  readonly signal: string;
  readonly track_state?: State;
  readonly zone_state?: State;
}

const sentTo = (type: string): Body[] =>
  (live.get(type)?.delivered() ?? []).flatMap(({ text }) => {
    const body: Body = JSON.parse(text);
    const track = String(body.track_state?.["track_id"] ?? body.zone_state?.["trigger_track_id"]);
    return track.startsWith("early") ? [] : [body];
  });

async function replay(...args: readonly string[]) {
  const lines = { out: [] as string[], err: [] as string[] };
  const code = await runReplay(args, system.installation.variables, {
    signal: new AbortController().signal,
    progressStream: { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream,
    print: (line) => lines.out.push(line),
    printError: (line) => lines.err.push(line),
  });
  return { code, stdout: `${lines.out.join("\n")}\n`, stderr: `${lines.err.join("\n")}\n` };
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

const range = (from = T0, to = T0 + END + 1) => ["--data-source", "gate", "--from", isoTime(from), "--to", isoTime(to)];

test("the signals of tracks and zones are those that the live subscriptions were sent", async () => {
  const { code, stderr, stdout } = await replay(...range(), "--out", file("range.ndjson"));

  expect([code, stderr]).toEqual([0, "\n"]);
  const lines = await linesOf("range.ndjson");
  for (const type of ["track_state", "zone_state"] as const) {
    const own = lines.filter(({ signal_type }) => signal_type === type);
    expect(own.length).toBeGreaterThan(5);
    expect(sentTo(type)).toMatchObject(own.map(({ signal, state }) => ({ signal, [type]: withoutNames(state) })));
  }
  expect(stdout).toContain(`signals   ${lines.length}, track_created 3,`);
});

test("tracks and offsets give the same file, and a part of the time its part", async () => {
  const { partition } = (await system.installation.read("camera-log"))[0] ?? { partition: -1 };
  const first = (await system.installation.read("camera-log")).length;

  await replay("--tracks", "a,b,c", "--out", file("tracks.ndjson"));
  await replay("--partition", `${partition}`, "--offsets", `0..${first}`, "--out", file("offsets.ndjson"));
  await replay(...range(T0 + 1_500, T0 + 2_500), "--out", file("part.ndjson"));

  const all = await linesOf("range.ndjson");
  expect(await linesOf("tracks.ndjson")).toEqual(all);
  expect((await linesOf("offsets.ndjson")).slice(-all.length)).toEqual(all);
  const part = await linesOf("part.ndjson");
  expect(part.length).toBeGreaterThan(3);
  expect(all.filter((line) => part.some((each) => JSON.stringify(each) === JSON.stringify(line)))).toEqual(part);
});

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

test.each([
  [() => ["--data-source", "yard", ...range().slice(2)], "There is no data source with the id or the name yard."],
  [() => ["--partition", "2", "--offsets", "0..1"], "The camera-log has no partition 2: it has 2."],
  [() => ["--tracks", "nobody"], "no detections are known of 1 of the tracks: nobody"],
  [() => [...range(), "--zones", file("range.ndjson")], "Cannot read zones from"],
  [() => [...range(), "--to", "http://10.0.0.1/hook"], "10.0.0.1 is"],
  [() => [...range(), "--compare", file("absent.ndjson")], "Cannot read"],
  [() => [...range(), "--compare", "then", "--subscription", "absent"], "There is no subscription absent."],
])("a mistake is named in one line, and leaves no file: %#", async (args, sentence) => {
  const { code, stderr } = await replay(...args(), "--out", file("failed.ndjson"));

  expect([code, stderr]).toEqual([2, expect.stringMatching(/^[^\n]+\n$/)]);
  expect(stderr).toContain(sentence);
  expect((await readdir(folder)).filter((name) => name.startsWith("failed"))).toEqual([]);
});

const page = readText("docs/replaying.md");
const [, ...written] = page.split(/^ +npm run replay -- /m).map((text) => text.split("\n")[0] ?? "");

/** Runs a line of the page with the names and times of the scene. */
const runLine = (line: string) =>
  replay(
    ...line
      .replaceAll("2026-11-24T14:00:00Z", isoTime(T0))
      .replaceAll("2026-11-24T14:20:00Z", isoTime(T0 + END + 1))
      .replaceAll("rules/", `${folder}/`)
      .replaceAll("tuesday.ndjson", file("tuesday.ndjson"))
      .split(" "),
  );

test("the lines of the page compare with the signals of then, and make a CI of rules", async () => {
  const [first = "", then = "", now = "", expected = "", compare = "", anew = "", ...more] = written;
  expect(more).toEqual([]);
  const count = (await linesOf("range.ndjson")).length;
  await writeFile(file("zones.geojson"), zonesFile(100));

  expect(await runLine(first)).toMatchObject({ code: 0 });
  expect(await readFile(file("tuesday.ndjson"), "utf8")).toBe(await readFile(file("range.ndjson"), "utf8"));
  expect(await runLine(first)).toMatchObject({ code: 2, stderr: expect.stringContaining("--force overwrites it.") });
  expect(await runLine(then)).toMatchObject({
    code: 0,
    stdout: comparedTo(`same ${count}, changed 0, missing 0, new 0`),
  });
  expect(await runLine(now)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^ 1 (changed|missing|new) {2}\w+_\w+ \w+ cam /m),
  });

  expect(await runLine(expected)).toMatchObject({ code: 0 });
  expect(await runLine(compare)).toMatchObject({ code: 0, stdout: comparedTo(`same ${count}, `) });
  await writeFile(file("zones.geojson"), zonesFile(140));
  expect(await runLine(compare)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^ {3}state\.\S+ .+/m) });
  expect(await runLine(anew)).toMatchObject({ code: 0 });
  expect(await runLine(compare)).toMatchObject({ code: 0 });
});

const comparedTo = (counts: string) => expect.stringContaining(`compared  ${counts}`);

/** A zone from x0 to 200. */
function zonesFile(x0: number): string {
  const ring = [
    [x0, 0],
    [200, 0],
    [200, 100],
    [x0, 100],
    [x0, 0],
  ];
  const geometry = { type: "Polygon", coordinates: [ring] };
  const zone = { type: "Feature", properties: { name: "door", id: "z" }, geometry };
  return JSON.stringify({ type: "FeatureCollection", features: [zone] });
}

test("as a process it ends with 2 when Kafka is away", async () => {
  const env = { ...processEnv, ...system.installation.variables, KAFKA_BROKERS: "127.0.0.1:1" };
  const [, ...words] = String(JSON.parse(readText("package.json")).scripts.replay).split(" ");

  const failed = promisify(execFile)(process.execPath, [...words, ...range(), "--compare", "then"], { cwd: ROOT, env });

  await expect(failed).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^[^\n]*127\.0\.0\.1:1[^\n]*\n$/),
  });
});
