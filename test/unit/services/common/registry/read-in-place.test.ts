// Events that are read in place are those of the codec, and stay valid while their borrower reads them.
import avro from "avsc";
import { expect, test } from "vitest";
import type { Codec } from "../../../../../schemas/codec.ts";
import type { Detection, DetectionsRecorded } from "../../../../../schemas/events.ts";
import { detectionsRecorded } from "../../../../../schemas/log/detections.ts";
import { lendingInPlace } from "../../../../../services/common/registry/read-in-place.ts";
import { detection } from "../../../../support/scenes/detection.ts";

const HEADER = Buffer.from([0, 0, 0, 0, 7]);
const type = avro.Type.forSchema(detectionsRecorded.schema as unknown as avro.Schema);
const bytesOf = (dataSourceId: string, ...detections: readonly Detection[]): Buffer =>
  Buffer.concat([HEADER, type.toBuffer({ dataSourceId, detections })]);

const byAvsc = {
  encode: (_type: string, event: DetectionsRecorded) => bytesOf(event.dataSourceId, ...event.detections),
  decode: (value: Buffer) => ({ ok: true, type: "DetectionsRecorded", event: type.fromBuffer(value.subarray(5)) }),
} as unknown as Codec;

const [a, b] = [{ isOver: false }, { isOver: false }];
const detectionsIn = (codec: Codec, value: Buffer): readonly Detection[] => {
  const read = codec.decode(value);
  if (!read.ok || read.type !== "DetectionsRecorded") throw new Error("not read");
  return read.event.detections;
};

test("an event stays as it is while its borrower pauses, whatever others read", () => {
  const { lend, giveBack } = lendingInPlace(byAvsc);
  const first = detection({ trackId: "a", timestamp: 1 });

  const paused = detectionsIn(lend(a), bytesOf("one", first));
  const other = detectionsIn(lend(b), bytesOf("two", detection({ trackId: "b", timestamp: 2 })));
  giveBack(b);
  detectionsIn(lend(b), bytesOf("two", detection({ trackId: "c", timestamp: 3 })));

  expect(paused).toEqual([first]);
  expect(other.map(({ trackId }) => trackId)).toEqual(["b"]);
});

test("the objects of an event are used again once it is given back, or its borrower is over", () => {
  const { lend, giveBack } = lendingInPlace(byAvsc);
  const ended = { isOver: false };

  const [first] = detectionsIn(lend(a), bytesOf("one", detection({ trackId: "a" })));
  giveBack(a);
  const [second] = detectionsIn(lend(ended), bytesOf("one", detection({ trackId: "b" })));
  ended.isOver = true;
  const [third] = detectionsIn(lend(b), bytesOf("one", detection({ trackId: "c" })));
  // It has nothing any more that it could give back.
  giveBack(ended);
  const [fourth] = detectionsIn(lend(a), bytesOf("one", detection({ trackId: "d" })));

  expect(second).toBe(first);
  expect(third).toBe(first);
  expect(fourth).not.toBe(first);
  expect(third?.trackId).toBe("c");
});
