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

const SILENT_MS = 100_000;

/** Tracks that are silent one after another. With the message 3, the first one is forgotten. */
async function endsWith(copies: readonly number[], isBeingFilled: boolean) {
  const written: OutMessage[] = [];
  let saved = 0;
  const { machine } = createMachine({
    events: Array.from({ length: 5 }, (_, i) => recorded(seen(i * SILENT_MS, OUTSIDE, { trackId: `t${i}` }))),
    headersOf: (i) => (copies.includes(i) ? { [COPIED_FROM]: Buffer.from(`0/${i}`) } : {}),
    recordedAt: (i) => T0 + i * SILENT_MS,
    rememberedTracks: 2,
    isBeingFilled,
    logEnds: async () => new Map([[0, 100]]),
    publish: async (messages) => void written.push(...messages),
    save: async ({ next }) => {
      saved = next;
      return "saved";
    },
  });
  await machine.start();
  onTestFinished(machine.stop);
  await until(() => saved === 5);
  return endsOf(written).map(({ value }) => JSON.parse(String(value)).trackId);
}

test("a copy drops no end of a track that an earlier message has forgotten", async () => {
  expect(await endsWith([4], true)).toContain("t0");
});

test("while a log is being filled, the ends that copies bring about are left to the other namespace; later not", async () => {
  expect(await endsWith([0, 1, 2, 3, 4], true)).toEqual([]);
  expect(await endsWith([0, 1, 2, 3, 4], false)).toContain("t0");
});

test("while the newest message is a copy, silence ends no track; after one that is none, it does", async () => {
  expect(endsOf(await outputsWith(MESSAGES, (_, elapsedMs) => elapsedMs > LONG_MS))).toEqual([]);
  expect(endsOf(await outputsWith(MESSAGES - 1, hasEnd))).toHaveLength(1);
});
