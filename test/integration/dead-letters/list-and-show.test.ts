import { describe, expect, test } from "vitest";
import { detection } from "../../support/scenes/detection.ts";
import { createInstallation } from "./installation.ts";

const { codec, letter, run, topic, write, writeRaw } = await createInstallation();

const garbage = letter({ reason: "not a TrackExpired: \u001b[2J\u009b31m", value: Buffer.from([0, 0, 0, 1]) });
const future = letter({
  reason: "detections.0.timestamp: too far in the future",
  value: codec.encode("DetectionsRecorded", {
    dataSourceId: "camera",
    detections: [detection({ direction: Number.NaN, metadata: '"\u202e"' })],
  }),
});
const large = letter({ reason: "not a TrackCreated", value: Buffer.alloc(7 * 1024 * 1024 + 1) });
const odd = letter({ topic: topic("zone-intersections"), partition: 2, key: Buffer.from([0xff, 0xfe]) });

// The projectors may write letters in another order than that of recording, and some of them again after a crash.
await write([odd, future]);
await write([large, garbage, odd]);
await writeRaw(Buffer.from("no letter"));

describe("list", () => {
  test("tells the oldest first, each once, without obeying what is in a message", async () => {
    const { done, lines, notes } = await run(["list"]);

    expect(done).toBe(true);
    expect(lines).toEqual([
      `${garbage.id}\t2026-01-01T00:00:01.000Z\t4\tnot a TrackExpired: \\u001b[2J\\u009b31m`,
      `${future.id}\t2026-01-01T00:00:02.000Z\t${future.value?.length}\tdetections.0.timestamp: too far in the future`,
      `${large.id}\t2026-01-01T00:00:03.000Z\t-\tnot a TrackCreated (value of 7340033 bytes left in its topic)`,
      `${odd.id}\t2026-01-01T00:00:04.000Z\t15\tnot in the Confluent wire format`,
    ]);
    expect(notes).toEqual(["Not counted: unreadable messages in dead-letters, 1."]);
  });

  test("tells no more than the limit, and how many more there are", async () => {
    const { lines } = await run(["list", "--limit", "3"]);

    expect(lines.map((line) => line.split("\t")[0])).toEqual([
      garbage.id,
      future.id,
      large.id,
      "1 more; --limit shows more than 3.",
    ]);
  });

  test("--json is an object per line, and what else is to be said stands beside it", async () => {
    const { lines, notes } = await run(["list", "--json", "--limit", "1"]);

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { id: garbage.id, recordedAt: "2026-01-01T00:00:01.000Z", bytes: 4, reason: garbage.reason, redrivenAt: null },
    ]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    expect(notes[0]).toBe("3 more; --limit shows more than 1.");
  });

  test.each([
    [["--reason", "future"], [future.id]],
    [
      ["--since", "2026-01-01T00:00:03Z"],
      [large.id, odd.id],
    ],
    [
      ["--since", "2026-01-01T00:00:02Z", "--reason", "not "],
      [large.id, odd.id],
    ],
    [["--reason", "no such reason"], ["There are no such open letters."]],
  ])("%j picks", async (args, expected) => {
    const { lines } = await run(["list", ...args]);

    expect(lines.map((line) => line.split("\t")[0])).toEqual(expected);
  });
});

describe("show", () => {
  test("tells a value that can be read as JSON", async () => {
    const { lines } = await run(["show", future.id]);

    expect(lines.slice(0, 9)).toEqual([
      `id         ${future.id}`,
      `topic      ${topic("camera-log")}`,
      "partition  1",
      "offset     2",
      "recorded   2026-01-01T00:00:02.000Z",
      "reason     detections.0.timestamp: too far in the future",
      "key        camera",
      "state      open",
      `value      DetectionsRecorded, ${future.value?.length} bytes`,
    ]);
    const { detections } = JSON.parse(lines.slice(9).join("\n"));
    expect(detections).toEqual([{ ...detection(), direction: "NaN", metadata: '"\u202e"' }]);
    expect(lines.join("\n")).not.toContain("\u202e");
  });

  test("tells the first bytes of one that cannot", async () => {
    const { lines } = await run(["show", odd.id]);

    expect(lines.slice(6)).toEqual([
      "key        0xfffe",
      "state      open",
      "value      15 bytes: not in the Confluent wire format",
      "00000000  6e 6f 74 20 41 76 72 6f 20 61 74 20 61 6c 6c     |not Avro at all|",
    ]);
  });

  test("tells that a value is not there", async () => {
    expect((await run(["show", large.id])).lines.slice(8)).toEqual(["value      not in the letter"]);
  });

  test("--json tells the same in one object", async () => {
    const { lines } = await run(["show", odd.id, "--json"]);

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        id: odd.id,
        topic: topic("zone-intersections"),
        partition: 2,
        offset: 4,
        recordedAt: "2026-01-01T00:00:04.000Z",
        reason: odd.reason,
        key: "0xfffe",
        redrivenAt: null,
        redrivenAs: null,
        bytes: 15,
        type: null,
        value: null,
        hex: Buffer.from("not Avro at all").toString("hex"),
      },
    ]);
  });

  test("of an unknown id is refused", async () => {
    await expect(run(["show", "camera-log/0/1"])).rejects.toThrow("dead letter camera-log/0/1 does not exist");
  });
});
