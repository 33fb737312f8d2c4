import { expect, onTestFinished, test } from "vitest";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import type { EndOffsets } from "../../../../services/common/kafka/read/partition-ends.ts";
import { until } from "../../../support/running/processes.ts";
import { recorded, seen, T0 } from "../../projections/live/camera.ts";
import { createMachine } from "./machine.ts";

const MESSAGES = 30;
const RECORDED_AT = T0 + MESSAGES * 1_000;

const detections: readonly CameraLogEvent[] = Array.from({ length: MESSAGES }, (_, i) => recorded(seen(i * 1_000, 50)));

/** A machine that reads one detection after the other, and the end times that it writes. */
async function startBehind(logEnds: (elapsedMs: number) => Promise<EndOffsets>, ends: number[] = []) {
  let elapsedMs = 0;
  const { machine } = createMachine({
    events: detections,
    perStep: 1,
    recordedAt: RECORDED_AT,
    elapsed: () => (elapsedMs += 100),
    logEnds: () => logEnds(elapsedMs),
    publish: async (messages) => {
      for (const { topic, value } of messages) {
        if (topic === "test.camera-log") ends.push(JSON.parse(String(value)).endTime - T0);
      }
    },
  });
  await machine.start();
  onTestFinished(machine.stop);
  return ends;
}

test("a machine that is behind ends no track whose detections it has not read yet", async () => {
  const ends = await startBehind(async () => new Map([[0, MESSAGES]]));

  await until(() => ends.length > 0);

  expect(ends).toEqual([(MESSAGES - 1) * 1_000]);
});

test("without an answer about the log's end silence ends no track", async () => {
  const AWAY_MS = 60_000;
  const ends: number[] = [];
  let endsWhileAway = 0;
  await startBehind(async (elapsedMs) => {
    if (elapsedMs >= AWAY_MS) return new Map([[0, MESSAGES]]);
    endsWhileAway = ends.length;
    throw new Error("the broker is away");
  }, ends);

  await until(() => ends.length > 0);

  expect(endsWhileAway).toBe(0);
  expect(ends).toEqual([(MESSAGES - 1) * 1_000]);
});

test("a machine whose clock is an hour ahead of the broker's, or set back while it runs, ends a silent track, and no other", async () => {
  const ends: number[] = [];
  let folded = 0;
  let commits = 0;
  let elapsedMs = 0;
  let wallMs = RECORDED_AT + 3_600_000;
  const { machine } = createMachine({
    events: detections,
    perStep: 1,
    recordedAt: (i) => T0 + i * 1_000,
    now: () => (wallMs -= 60_000),
    elapsed: () => (elapsedMs += 10),
    // All that was read is the whole log: at each message the machine has caught up.
    onFold: () => void folded++,
    logEnds: async () => new Map([[0, folded]]),
    onCommit: () => void commits++,
    publish: async (messages) => {
      for (const { topic, value } of messages) {
        if (topic === "test.camera-log") ends.push(JSON.parse(String(value)).endTime - T0);
      }
    },
  });
  await machine.start();
  onTestFinished(machine.stop);

  await until(() => ends.length > 0 && commits > 1);

  expect(ends).toEqual([(MESSAGES - 1) * 1_000]);
});
