import { expect, test } from "vitest";
import { unavailable } from "../../../../schemas/errors.ts";
import { until } from "../../../support/running/processes.ts";
import { drawn, INSIDE, OUTSIDE, recorded, seen, T0 } from "../../projections/live/camera.ts";
import { createMachine } from "./machine.ts";

test("a machine that is stopped writes its last round and lets go before it leaves the group", async () => {
  const written = Promise.withResolvers<void>();
  const { machine, did } = createMachine({ publish: () => written.promise });
  await machine.start();
  await until(() => did.includes("publish"));

  const stopped = machine.stop();
  written.resolve();
  await stopped;

  expect(did.slice(did.indexOf("publish"))).toEqual(["publish", "written", "save 1", "release", "leave"]);
});

test("the log has the ends of all tracks that a save forgets before that save", async () => {
  const TRACKS = 200;
  const times = [0, 100_000, 100_000 + 3_600_001];
  const tracks = Array.from({ length: TRACKS }, (_, i) => seen(i, OUTSIDE, { trackId: `t${i}` }));
  const ended = new Set<string>();
  const forgotten: string[] = [];
  const withoutEnd: string[] = [];
  const { machine, did } = createMachine({
    events: [recorded(...tracks), ...times.slice(1).map((at) => recorded(seen(at, OUTSIDE, { trackId: "last" })))],
    recordedAt: (i) => T0 + (times[i] ?? 0),
    tail: times.length,
    publish: async (messages) => {
      for (const { value } of messages) ended.add(JSON.parse(String(value)).trackId);
    },
    save: async ({ changes }) => {
      for (const [trackId, json] of "touched" in changes ? changes.touched.tracks : []) {
        if (json !== null) continue;
        forgotten.push(trackId);
        if (!ended.has(trackId)) withoutEnd.push(trackId);
      }
      return "saved";
    },
  });
  await machine.start();
  await until(() => did.includes(`save ${times.length}`));
  await machine.stop();

  expect(forgotten).toHaveLength(TRACKS);
  expect(withoutEnd).toEqual([]);
});

test("the first outputs of a message are written without ends of tracks, because a next owner would repeat these", async () => {
  const tracks = Array.from({ length: 5_100 }, (_, i) => seen(i, INSIDE, { trackId: `t${i}` }));
  const firstOutputs: unknown[] = [];
  const { machine, did } = createMachine({
    events: [drawn(), recorded(...tracks), recorded(seen(200_000, OUTSIDE, { trackId: "last" }))],
    recordedAt: (i) => T0 + (i === 2 ? 200_000 : 0),
    rememberedTracks: 1_000,
    publish: async (messages) => {
      const causes = messages.map(({ value }) => JSON.parse(String(value)).cause?.offset);
      if (firstOutputs.length === 0 && causes.includes(2)) firstOutputs.push(...causes);
    },
  });
  await machine.start();
  await until(() => did.includes("save 3"));
  await machine.stop();

  expect(firstOutputs.length).toBeLessThan(5_100);
  expect(firstOutputs).not.toContain(undefined);
});

test("outputs that could not be written are not repeated blindly: what stands in the topics is looked up first", async () => {
  let attempts = 0;
  const { machine, did } = createMachine({
    publish: async () => {
      if (++attempts === 1) throw unavailable("the log did not answer in time", 1_000);
    },
  });
  await machine.start();
  await until(() => did.includes("save 1"));
  await machine.stop();

  expect(did.slice(0, did.indexOf("save 1"))).toEqual([
    "take over",
    "publish",
    "release",
    "take over",
    "publish",
    "written",
  ]);
});

test("whoever waits for the log to take its outputs says that it is still at work", async () => {
  const written = Promise.withResolvers<void>();
  const { machine, did } = createMachine({ publish: () => written.promise });
  await machine.start();

  await until(() => did.includes("claim renewed in 0"));
  expect(did).not.toContain("written");
  written.resolve();
  await machine.stop();

  expect(did).toContain("save 1");
});

test("nothing is written while others may own the partition, and it is taken over anew when the group says whose it is", async () => {
  let checks = 0;
  const owns = () => ++checks > 3;
  const { machine, did } = createMachine({ owns });
  await machine.start();
  await until(() => did.includes("save 1"));
  await machine.stop();

  const begin = ["take over", "release", "take over", "publish", "written", "save 1"];
  expect(did.slice(0, begin.length)).toEqual(begin);
});

test("offsets without a message move the position: behind a transaction's mark nothing is unread", async () => {
  const { machine, did } = createMachine({ withoutMessage: 2 });
  await machine.start();
  await until(() => did.includes("save 3"));
  await machine.stop();

  expect(did.filter((step) => step.startsWith("save"))).toEqual(["save 3"]);
});
