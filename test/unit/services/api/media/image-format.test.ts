import { expect, test } from "vitest";
import { imageFormat } from "../../../../../services/api/media/image-format.ts";
import { gif, jpeg, losslessWebp, lossyWebp, png } from "../../../../support/scenes/images.ts";

const extendedWebp = Buffer.concat([
  Buffer.from("524946461600000057454250", "hex"),
  Buffer.from("56503858" + "0a000000" + "10000000" + "7f0700" + "370400", "hex"),
]);

test.each([
  ["PNG", png(1920, 1080), { ending: "png", width: 1920, height: 1080 }],
  ["JPEG", jpeg(640, 480), { ending: "jpg", width: 640, height: 480 }],
  ["progressive JPEG", jpeg(3840, 2160, 0xc2), { ending: "jpg", width: 3840, height: 2160 }],
  ["lossy WebP", lossyWebp, { ending: "webp", width: 1, height: 1 }],
  ["lossless WebP", losslessWebp, { ending: "webp", width: 1, height: 1 }],
  ["extended WebP", extendedWebp, { ending: "webp", width: 1920, height: 1080 }],
  ["GIF", gif, { ending: "gif", width: 1, height: 1 }],
])("a %s is told with its size", (_, bytes, format) => {
  expect(imageFormat(bytes)).toEqual(format);
});

const changed = (bytes: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
};

test.each([
  ["nothing", Buffer.alloc(0)],
  ["a text", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
  ["a page that begins like a GIF", Buffer.from("GIF8<script>alert(1)</script>")],
  ["a PNG's signature alone", png().subarray(0, 8)],
  ["a PNG without IHDR", changed(png(), 12, 0x4a)],
  ["a PNG without width", png(0, 3)],
  ["a PNG that is too wide", png(20_000, 1)],
  ["a JPEG without a size", Buffer.from("ffd8ffda0008010100003f00d2cfffd9", "hex")],
  ["a JPEG of a single endless segment", Buffer.from("ffd8ffe0ffff", "hex")],
  ["a JPEG with a segment of no length", Buffer.from("ffd8ffe000000000000000000000", "hex")],
  ["junk behind the start of a JPEG", Buffer.concat([Buffer.from("ffd8", "hex"), Buffer.alloc(5_000_000)])],
  ["padding behind the start of a JPEG", Buffer.concat([Buffer.from("ffd8", "hex"), Buffer.alloc(5_000_000, 255)])],
  ["another RIFF", Buffer.concat([Buffer.from("RIFF....WAVEfmt "), Buffer.alloc(20)])],
  ["a WebP that was cut off", changed(lossyWebp, 5, 0xff)],
  ["a GIF without a size", changed(gif, 6, 0)],
  ["a film", Buffer.concat([Buffer.from("00000018667479706d703432", "hex"), Buffer.alloc(100)])],
])("%s is no image", (_, bytes) => {
  expect(imageFormat(bytes)).toBeUndefined();
});

test("no piece of an image and no single wrong byte ends in an error", () => {
  for (const image of [png(), jpeg(), lossyWebp, losslessWebp, extendedWebp, gif]) {
    for (let end = 0; end < image.length; end++) expect(() => imageFormat(image.subarray(0, end))).not.toThrow();
    for (let at = 0; at < image.length; at++) {
      for (const value of [0, 0xff]) expect(() => imageFormat(changed(image, at, value))).not.toThrow();
    }
  }
});
