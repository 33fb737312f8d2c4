import { expect, onTestFinished, test, vi } from "vitest";
import { rangesOf } from "../../../services/api/feed/follow-topic.ts";
import { at, created, detection, expired, recorded, updated } from "../../support/scenes/feed-events.ts";
import { createInstallation, type Instance } from "./installation.ts";
import { follow, type Subscription, WAIT } from "./subscription.ts";

interface Tracks {
  readonly tracks: { readonly state: string; readonly message: { readonly id: string; readonly metadata: unknown } };
}

interface Activity {
  readonly detectionActivity: { readonly id: string };
}

const installation = await createInstallation();
const TRACKS = "subscription { tracks { state message { id metadata } } }";
const ACTIVITY = "subscription { detectionActivity { id } }";
const CAMERAS = ["a", "b", "c", "d", "e"];
const ROUNDS = 120;

/** Per camera and round, one track with its whole life, and four detections in one event. */
async function play(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await installation.record(
      ...CAMERAS.flatMap((dataSourceId) => {
        const id = `${dataSourceId}${round}`;
        return [
          created(id, { dataSourceId, detections: [detection(id, 0)] }),
          recorded(dataSourceId, detection(id, 1), detection(id, 2), detection(id, 3), detection(id, 2)),
          // A client that lost the answer sends this again.
          created(id, { dataSourceId, detections: [detection(id, 0)] }),
          updated(id, { dataSourceId, metadata: JSON.stringify({ round }), endTime: at(3) }),
          expired(id, 3, { dataSourceId }),
        ];
      }),
    );
    if (round % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Follows with one connection after another, each on the next instance, from the cursor of the dropped one. */
async function followInPieces<Data>(
  instances: readonly Instance[],
  query: string,
  isWhole: (all: readonly Data[]) => boolean,
): Promise<readonly Data[]> {
  const all: Data[] = [];
  let cursor: string | undefined;
  let stopped = false;
  onTestFinished(() => {
    stopped = true;
  });
  for (let piece = 0; !isWhole(all) && !stopped; piece++) {
    const instance = instances[piece % instances.length];
    if (instance === undefined) throw new Error("no instance");
    const part: Subscription<Data> = await follow<Data>({ ...instance, query, cursor });
    const wanted = 1 + ((piece * 37) % 150);
    await vi.waitUntil(() => part.received().length >= wanted || isWhole([...all, ...dataOf(part)]), WAIT);
    part.client.drop();
    all.push(...dataOf(part));
    cursor = part.received().at(-1)?.extensions.cursor ?? cursor;
  }
  return all;
}

const dataOf = <Data>(part: Subscription<Data>): Data[] => part.received().map(({ data }) => data);

test("a client that loses its connection again and again misses nothing and gets nothing twice", async () => {
  const [first, second] = [
    await installation.startApi(),
    await installation.startApi({ API_FEED_KEPT_MESSAGES: "40" }),
  ];
  const ready = await follow<Tracks>({ ...first, query: TRACKS });
  await installation.record(created("ready"));
  await ready.atLeast(1);
  const count = CAMERAS.length * ROUNDS;

  const tracks = followInPieces<Tracks>([first, second], TRACKS, (all) => all.length >= 3 * count);
  const activity = followInPieces<Activity>([second, first], ACTIVITY, (all) => all.length >= 4 * count);
  await follow<Tracks>({ ...first, query: TRACKS });
  await play();

  const states = new Map<string, string[]>();
  for (const {
    tracks: { state, message },
  } of await tracks) {
    states.set(message.id, [...(states.get(message.id) ?? []), state]);
  }
  expect(states.size).toBe(count);
  expect(new Set([...states.values()].map(String))).toEqual(new Set(["START,UPDATE,END"]));
  const ids = (await activity).map(({ detectionActivity }) => detectionActivity.id);
  expect(ids).toHaveLength(4 * count);
  expect(new Set(ids).size).toBe(4 * count);
});

const ends = async () => (await rangesOf(installation.kafka, installation.topic("camera-log"))).map(({ high }) => high);

type CursorOf = (ends: readonly number[]) => string;
const strange: readonly [what: string, cursorOf: CursorOf][] = [
  ["that is none", () => "nonsense"],
  ["of another subscription", () => encoded("zone-intersections", [0, 0, 0])],
  ["beyond the log", () => encoded("camera-log", [999_999, 999_999, 999_999])],
  ["one message beyond the end of one partition", ([a, b = 0, c]) => encoded("camera-log", [a, b + 1, c])],
  ["within a message that is not there yet", (all) => encoded("camera-log", all, 1, 3)],
  ["with a partition that the log does not have", (all) => encoded("camera-log", [...all, 0])],
];

test.for(strange)("a cursor %s is refused, and nothing is read for it", async ([, cursorOf]) => {
  const api = await installation.startApi();
  const cursor = cursorOf(await ends());
  const subscription = await follow<Tracks>({ ...api, query: TRACKS, cursor });

  await vi.waitUntil(() => subscription.error() !== undefined, WAIT);
  expect(subscription.error()?.[0]?.extensions).toEqual({ code: "BAD_USER_INPUT", path: ["extensions", "cursor"] });
  expect(await resumeGroups()).toEqual([]);
});

const encoded = (...cursor: readonly unknown[]) => Buffer.from(JSON.stringify(cursor)).toString("base64url");

/** Groups of the readers that read the log for a client. */
async function resumeGroups(): Promise<string[]> {
  const admin = installation.kafka.admin();
  await admin.connect();
  const { groups } = await admin.listGroups().finally(() => admin.disconnect());
  return groups
    .map(({ groupId }) => groupId)
    .filter((id) => id.startsWith(`${installation.namespace}.api.feed-resume`));
}

test("a cursor that the log no longer reaches back to is refused", async () => {
  const api = await installation.startApi();
  const before = await follow<Tracks>({ ...api, query: TRACKS });
  await installation.record(created("old"));
  const [first] = await before.atLeast(1);
  await installation.record(created("later"), created("later still"));
  await before.atLeast(3);
  await installation.truncate("camera-log");
  await api.stop();

  const other = await installation.startApi();
  const after = await follow<Tracks>({ ...other, query: TRACKS, cursor: first?.extensions.cursor });

  await vi.waitUntil(() => after.error() !== undefined, WAIT);
  expect(after.error()?.[0]?.message).toContain("older than what the log keeps");
});
