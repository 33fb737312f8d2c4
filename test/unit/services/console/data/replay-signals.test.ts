import { expect, test } from "vitest";
import {
  askReplaySignals,
  type FollowedSignals,
  type ReplaySignal,
  subjectsOf,
} from "../../../../../services/console/data/replay-signals.ts";
import type { Requests } from "../../../../../services/console/data/requests.ts";

const { signal } = new AbortController();

const made = (number: number, body: ReplaySignal["signal"] = {}): ReplaySignal => ({
  ...{ number, kind: "track_updated", timestamp: "2026-11-24T14:00:00.000Z", result: null, error: null },
  signal: body,
});

/** Has `count` signals by now, and keeps the newest ten. */
function server() {
  let count = 0;
  const rest: Requests["rest"] = async <Data>(_method: string, path: string) => {
    const after = Number(new URL(path, "http://rest").searchParams.get("after"));
    const first = Math.max(after, count - 10) + 1;
    const signals = Array.from({ length: Math.max(0, count - first + 1) }, (_, i) => made(first + i));
    const last = Math.max(after, count);
    return { signals, last, passed_over: last - after - signals.length } as Data;
  };
  return {
    rest,
    make: (more: number) => {
      count += more;
    },
  };
}

test("each signal is shown once, the newest first, and those that were passed over are counted", async () => {
  const { rest, make } = server();
  let followed: FollowedSignals | undefined;
  for (const more of [3, 0, 25, 2]) {
    make(more);
    followed = await askReplaySignals(rest, "s", followed, signal);
  }

  const numbers = followed?.signals.map(({ number }) => number);
  expect(numbers).toEqual([30, 29, ...Array.from({ length: 10 }, (_, i) => 28 - i), 3, 2, 1]);
  expect(followed).toMatchObject({ last: 30, passedOver: 15 });
});

test("what is shown is bounded", async () => {
  const { rest, make } = server();
  let followed: FollowedSignals | undefined;
  for (let i = 0; i < 50; i++) {
    make(10);
    followed = await askReplaySignals(rest, "s", followed, signal);
  }

  expect(followed?.signals).toHaveLength(200);
});

test.each([
  [{ track_state: { track_id: "t1", tag: "car" } }, { track: ["car", "t1"], zone: [] }],
  [
    { zone_state: { zone_id: "z", zone_name: "Gate", trigger_track_id: "t1", trigger_tag: "car" } },
    { track: ["car", "t1"], zone: ["Gate"] },
  ],
  [{ zone_state: { zone_id: "z" } }, { track: [], zone: ["z"] }],
  [
    { track_state: "t1", zone_state: null },
    { track: [], zone: [] },
  ],
  [null, { track: [], zone: [] }],
])("track and zone of %j", (body, subjects) => {
  expect(subjectsOf(made(1, body))).toEqual(subjects);
});
