// Recognises the format of an image from its bytes, whatever its sender states. A library for this (image-size) needs a
// second of a processor for 5 MB of junk that follows two bytes of JPEG. These readers take one step for each part of
// the file, and there are four kinds.

export interface ImageFormat {
  /** Extension of a file's name. */
  readonly ending: "png" | "jpg" | "webp" | "gif";
  readonly width: number;
  readonly height: number;
}

type Size = readonly [width: number, height: number];

/**
 * Maximum width and height in pixels. No camera's image is larger, and a viewer needs memory for all pixels, however
 * small the file is.
 */
const MAX_SIDE = 16_384;

/**
 * @returns undefined when the bytes are no image of a kind that all browsers show, or a side is 0 or more than
 * MAX_SIDE.
 */
export function imageFormat(bytes: Buffer): ImageFormat | undefined {
  for (const { ending, sizeOf } of formats) {
    const [width, height] = sizeOf(bytes) ?? [0, 0];
    if (isSane(width) && isSane(height)) return { ending, width, height };
  }
  return undefined;
}

const isSane = (side: number): boolean => side >= 1 && side <= MAX_SIDE;

const formats: readonly { readonly ending: ImageFormat["ending"]; sizeOf(bytes: Buffer): Size | undefined }[] = [
  { ending: "png", sizeOf: pngSize },
  { ending: "jpg", sizeOf: jpegSize },
  { ending: "webp", sizeOf: webpSize },
  { ending: "gif", sizeOf: gifSize },
];

const PNG_START = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** A PNG has the signature, then the chunk IHDR. */
function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 16).equals(PNG_START)) return undefined;
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** A JPEG has segments, one of which (SOF) has the size; after SOS there are only pixels. */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      // Skips padding.
      at += 1;
      continue;
    }
    if (marker === SOS || marker < FIRST_WITH_LENGTH) return undefined;
    if (isStartOfFrame(marker)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

const SOS = 0xda;
const FIRST_WITH_LENGTH = 0xc0;
/** True for SOF0 to SOF15, except the tables among them: DHT, JPG, DAC. */
const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** A WebP is a RIFF file whose first chunk is one of three. */
function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP")
    return undefined;
  if (bytes.readUInt32LE(4) + 8 > bytes.length + 1) return undefined;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
    case "VP8L": {
      if (bytes[20] !== 0x2f) return undefined;
      const bits = bytes.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case "VP8X":
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    default:
      return undefined;
  }
}

function gifSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 13 || !/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return undefined;
  return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
}
