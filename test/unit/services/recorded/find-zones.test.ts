import { expect, test } from "vitest";
import type { Segment } from "../../../../projections/replay/session.ts";
import type { Typed, ZoneVersion } from "../../../../schemas/events.ts";
import { createLog } from "../../../../services/common/log.ts";
import { type FindZonesDeps, findZones } from "../../../../services/recorded/find-zones.ts";
import { readZonesOfMoment } from "../../../../services/recorded/zones-of-moment.ts";
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

function createTopic() {
  const read: number[] = [];
  const decoded: number[] = [];
  const deps: FindZonesDeps = {
    fetcher: {
      fetch: async (_, offset) => {
        read.push(offset);
        const count = Math.min(PORTION, VERSIONS - offset);
        const messages = Array.from({ length: count }, (_, i) => {
          const { dataSourceId, zoneId } = versionAt(offset + i);
          return {
            ...{ key: null, attributes: 0, headers: {}, offset: `${offset + i}`, timestamp: `${100 * (offset + i)}` },
            value: Buffer.from(`${offset + i} ${dataSourceId} ${zoneId}`),
          };
        });
        return { messages, next: offset + count };
      },
    },
    codec: {
      ...{ encode: unused, loadSchemas: async () => undefined },
      decode: (value) => {
        const n = Number.parseInt(String(value), 10);
        decoded.push(n);
        return { ok: true, ...({ type: "ZoneVersion", event: versionAt(n) } satisfies Typed) };
      },
    },
    ...{ zones: { topic: "zones", partition: 0, begin: 0, end: VERSIONS }, logId: "log", highs: [1_000] },
    ...{ trackTtlMs: 50, throttle: async () => {}, log: createLog("test", "silent") },
    signal: new AbortController().signal,
  };
  return { read, decoded, deps };
}

test("the zones of all segments are found in one reading of their topic", async () => {
  const plan = [
    segment("history", 2, 3),
    segment("history", 4, 7),
    segment("history", 11, 11),
    segment("topic", 5, 9),
    segment("topic", 12, 12),
  ];
  const { read, deps } = createTopic();

  const found = await findZones(plan, deps);

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

test.each([
  [0, ["0", 0]],
  [499, ["4", 0]],
  [500, ["5", 500]],
  [1_050, ["10", 0]],
])("a zone that moves, at %i: it and the zones of the segment are found in one reading", async (at, [name, since]) => {
  const { read, decoded, deps } = createTopic();

  const { zones, asked } = await readZonesOfMoment(
    segment("topic", 5, 9),
    { zoneId: `z${Number(name) % 2}`, at },
    { ...deps, pace: () => undefined },
  );

  expect(read).toEqual([0, 5, 10]);
  // The others are neither of the data source nor of the zone.
  expect(decoded.length).toBeLessThan(VERSIONS);
  expect(namesOf(zones.before)).toEqual(["4", "3"]);
  expect([asked?.zone.name, asked?.hereSince]).toEqual([name, since]);
});

test("a zone that there never was is not found", async () => {
  const { deps } = createTopic();

  const asked = { zoneId: "none", at: 1_000 };
  const found = await readZonesOfMoment(segment("topic", 5, 9), asked, { ...deps, pace: () => undefined });

  expect(found.asked).toBeUndefined();
});
