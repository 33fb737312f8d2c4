import { expect, onTestFinished, test } from "vitest";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import type { Ends } from "../../../services/common/kafka/partition-ends.ts";
import { until } from "../../support/processes.ts";
import { recorded, seen, T0 } from "../live/camera.ts";
import { createMachine } from "./machine.ts";

const MESSAGES = 30;
const RECORDED_AT = T0 + MESSAGES * 1_000;
/** Longer than a track's time to live. */
const BEHIND_MS = 20_000;

const detections: readonly CameraLogEvent[] = Array.from({ length: MESSAGES }, (_, i) => recorded(seen(i * 1_000, 50)));

/** A machine that reads one detection after the other, and the end times that it writes. */
async function startBehind(logEnds: () => Promise<Ends>) {
  const ends: number[] = [];
  let wallNowMs = RECORDED_AT + BEHIND_MS;
  const { machine } = createMachine({
    events: detections,
    perStep: 1,
    recordedAt: RECORDED_AT,
    now: () => (wallNowMs += 100),
    logEnds,
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

test("without an answer about the log's end the wall clock ends no track", async () => {
  let asked = 0;
  const ends = await startBehind(async () => {
    if (++asked < 3) throw new Error("the broker is away");
    return new Map([[0, MESSAGES]]);
  });

  await until(() => ends.length > 0);

  expect(asked).toBe(3);
  expect(ends).toEqual([(MESSAGES - 1) * 1_000]);
});
