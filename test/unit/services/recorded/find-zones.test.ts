import { expect, test } from "vitest";
import type { Segment } from "../../../../projections/replay/session.ts";
import type { Typed, ZoneVersion } from "../../../../schemas/events.ts";
import { createLog } from "../../../../services/common/log.ts";
import { findZones } from "../../../../services/recorded/find-zones.ts";
import { askedOfCam } from "../../../support/scenes/segment-tracks.ts";
import { zone } from "../../../support/scenes/zone.ts";

const VERSIONS = 12;
const PORTION = 5;

const unused = () => {
  throw new Error("not used here");
};

/** Version n is of the message 10 n, and written at the time 100 n; each third one is of another camera. */
const versionAt = (n: number): ZoneVersion => {
  const dataSourceId = n % 3 === 2 ? "other" : "cam";
  const moved = zone({ zoneId: `z${n % 2}`, dataSourceId, name: `${n}` });
  return { zoneId: `z${n % 2}`, dataSourceId, zone: moved, movedTo: null, refusal: null, partition: 0, offset: 10 * n };
};

const segment = (log: Segment["log"], begin: number, last: number): Segment => ({
  ...{ partition: 0, asked: askedOfCam("a"), dataSourceIds: ["cam"], log, begin: 10 * begin, end: 1_000 },
  ...{ beginAt: 100 * begin, lastAt: 100 * last, recorded: [], eventFrom: 0, eventTo: 0 },
});

const namesOf = (versions: readonly ZoneVersion[]) => versions.map((version) => version.zone?.name);

test("the zones of all segments are found in one reading of their topic", async () => {
  const read: number[] = [];
  const plan = [
    segment("history", 2, 3),
    segment("history", 4, 7),
    segment("history", 11, 11),
    segment("topic", 5, 9),
    segment("topic", 12, 12),
  ];

  const found = await findZones(plan, {
    fetcher: {
      fetch: async (_, offset) => {
        read.push(offset);
        const count = Math.min(PORTION, VERSIONS - offset);
        const messages = Array.from({ length: count }, (_, i) => ({
          ...{ key: null, attributes: 0, headers: {}, offset: `${offset + i}`, timestamp: `${100 * (offset + i)}` },
          value: Buffer.from(`${offset + i}`),
        }));
        return { messages, next: offset + count };
      },
    },
    codec: {
      ...{ encode: unused, loadSchemas: async () => undefined },
      decode: (value) => ({ ok: true, ...({ type: "ZoneVersion", event: versionAt(Number(value)) } satisfies Typed) }),
    },
    ...{ zones: { topic: "zones", partition: 0, begin: 0, end: VERSIONS }, logId: "log", highs: [1_000] },
    ...{ trackTtlMs: 50, throttle: async () => {}, log: createLog("test", "silent") },
    signal: new AbortController().signal,
  });

  expect(read).toEqual([0, 5, 10]);
  const zones = plan.map((each) => found.take(each));
  expect(zones.map(({ before }) => namesOf(before))).toEqual([
    ["0", "1"],
    ["0", "3"],
    ["10", "9"],
    ["4", "3"],
    ["10", "9"],
  ]);
  expect(zones.map(({ changes }) => [changes.begin, changes.end])).toEqual([
    [3, 4],
    [4, 8],
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
});
