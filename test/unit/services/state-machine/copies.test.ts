import { expect, onTestFinished, test } from "vitest";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import { COPIED_FROM } from "../../../../schemas/headers.ts";
import type { OutMessage } from "../../../../services/common/kafka/write/publisher.ts";
import { until } from "../../../support/running/processes.ts";
import { INSIDE, OUTSIDE, recorded, seen, T0, zone } from "../../projections/live/camera.ts";
import { createMachine } from "./machine.ts";

const MESSAGES = 6;
const LONG_MS = 500_000;
/** The track enters and leaves the zone again and again. */
const events: readonly CameraLogEvent[] = [
  { type: "ZoneCreated", event: { zone: zone() } },
  ...Array.from({ length: MESSAGES - 1 }, (_, i) => recorded(seen(i * 1_000, i % 2 === 0 ? INSIDE : OUTSIDE))),
];

/** The first messages are copies from another namespace. `isOver` decides when the machine has run for long enough. */
async function outputsWith(copies: number, isOver: (written: readonly OutMessage[], elapsedMs: number) => boolean) {
  const written: OutMessage[] = [];
  let elapsedMs = 0;
  const { machine } = createMachine({
    events,
    headersOf: (i) => (i < copies ? { [COPIED_FROM]: Buffer.from(`0/${i}`) } : {}),
    perStep: 1,
    recordedAt: (i) => T0 + i * 1_000,
    elapsed: () => (elapsedMs += 1_000),
    logEnds: async () => new Map([[0, MESSAGES]]),
    publish: async (messages) => void written.push(...messages),
  });
  await machine.start();
  onTestFinished(machine.stop);
  await until(() => isOver(written, elapsedMs));
  return written;
}

const endsOf = (outputs: readonly OutMessage[]) => outputs.filter(({ topic }) => topic === "test.camera-log");
const hasEnd = (outputs: readonly OutMessage[]) => endsOf(outputs).length > 0;

const causesOf = (outputs: readonly OutMessage[]): number[] =>
  outputs
    .filter(({ topic }) => topic === "test.zone-intersections")
    .map(({ value }) => JSON.parse(String(value)).cause.offset);

test("the outputs of copies are not written, because they are copied, too", async () => {
  const all = causesOf(await outputsWith(0, hasEnd));
  const some = causesOf(await outputsWith(MESSAGES - 1, hasEnd));

  expect(all).toContain(1);
  expect(some).toEqual(all.filter((offset) => offset >= MESSAGES - 1));
});

test("while the newest message is a copy, silence ends no track; after one that is none, it does", async () => {
  expect(endsOf(await outputsWith(MESSAGES, (_, elapsedMs) => elapsedMs > LONG_MS))).toEqual([]);
  expect(endsOf(await outputsWith(MESSAGES - 1, hasEnd))).toHaveLength(1);
});
