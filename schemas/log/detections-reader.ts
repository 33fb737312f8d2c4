// Reads DetectionsRecorded as this version writes it, without avsc and without new objects. Nearly all events are of
// this kind, and to make and to collect the objects of a detection costs as much as all that a reader does with them.
import type { Detection, DetectionsRecorded, GeoPosition } from "./detections.ts";
import { KnownTexts } from "./known-texts.ts";
import type { Polygon } from "./polygon.ts";

/** Larger events are left to avsc, so that the objects that are kept are bounded. */
const MAX_DETECTIONS = 256;
const MAX_RINGS = 8;
const MAX_NUMBERS = 512;

const CONTINUES = 0x80;
const SEVEN_BITS = 0x7f;
/** A number of so many bytes fits into 28 bits. */
const SHORT_BYTES = 4;
/** A number of so many bytes fits into 49 bits, as all times of the calendar do. */
const LONG_BYTES = 7;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface Kept {
  readonly detection: Writable<Detection>;
  readonly rings: number[][];
  readonly polygon: Writable<Polygon>;
  readonly position: Writable<GeoPosition>;
}

/** The event is not as avsc writes it, or too large. */
const NOT_PLAIN = new Error("left to avsc");

export class DetectionsReader {
  readonly #kept: Kept[] = [];
  readonly #texts = new KnownTexts();
  #buffer: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** Index in the view. */
  #at = 0;
  #end = 0;

  /**
   * Reads the event from index `start` to the end of the buffer. It is valid until the next one is read.
   * @returns undefined for an event that is left to avsc.
   */
  read(buffer: Buffer, start: number): DetectionsRecorded | undefined {
    // The messages of a batch lie in the same memory.
    if (this.#view.buffer !== buffer.buffer) this.#view = new DataView(buffer.buffer);
    this.#buffer = buffer;
    this.#at = buffer.byteOffset + start;
    this.#end = buffer.byteOffset + buffer.length;
    try {
      const event = { dataSourceId: this.#text(), detections: this.#detections() };
      return this.#at === this.#end ? event : undefined;
    } catch (error) {
      if (error === NOT_PLAIN || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #detections(): Detection[] {
    const count = this.#count(MAX_DETECTIONS);
    const detections: Detection[] = [];
    for (let i = 0; i < count; i++) {
      const kept = this.#kept[i] ?? createKept();
      this.#kept[i] = kept;
      detections.push(this.#detection(kept));
    }
    if (count > 0) this.#count(0);
    return detections;
  }

  #detection({ detection, polygon, position, rings }: Kept): Detection {
    detection.trackId = this.#text();
    detection.timestamp = this.#long();
    detection.polygon = this.#isSet() ? this.#polygon(polygon, rings) : null;
    detection.position = this.#isSet() ? this.#position(position) : null;
    detection.direction = this.#isSet() ? this.#double() : null;
    detection.metadata = this.#isSet() ? this.#text() : null;
    return detection;
  }

  #polygon(polygon: Kept["polygon"], rings: number[][]): Polygon {
    const count = this.#count(MAX_RINGS);
    rings.length = Math.min(rings.length, count);
    for (let i = 0; i < count; i++) {
      const ring = rings[i] ?? [];
      rings[i] = ring;
      this.#numbers(ring);
    }
    if (count > 0) this.#count(0);
    polygon.crs = this.#isSet() ? this.#text() : null;
    return polygon;
  }

  #numbers(ring: number[]): void {
    const count = this.#count(MAX_NUMBERS);
    if (ring.length > count) ring.length = count;
    for (let i = 0; i < count; i++) ring[i] = this.#double();
    if (count > 0) this.#count(0);
  }

  #position(position: Kept["position"]): GeoPosition {
    position.longitude = this.#double();
    position.latitude = this.#double();
    position.altitude = this.#isSet() ? this.#double() : null;
    position.crs = this.#isSet() ? this.#text() : null;
    return position;
  }

  #double(): number {
    const at = this.#at;
    this.#at = at + 8;
    return this.#view.getFloat64(at, true);
  }

  #text(): string {
    const length = this.#count(this.#end - this.#at);
    const at = this.#at;
    this.#at = at + length;
    // It may begin behind the length and so be longer than what is left.
    if (this.#at > this.#end) throw NOT_PLAIN;
    return this.#texts.read(this.#buffer, this.#view, at, length);
  }

  /** Reads whether the second type of a union with null follows. */
  #isSet(): boolean {
    return this.#count(1) === 1;
  }

  /** Reads a number of 0 to `max`. */
  #count(max: number): number {
    let value = 0;
    for (let bits = 0; bits < 7 * SHORT_BYTES; bits += 7) {
      const byte = this.#view.getUint8(this.#at++);
      value |= (byte & SEVEN_BITS) << bits;
      if (byte >= CONTINUES) continue;
      // Odd numbers are negative ones.
      if (value % 2 !== 0 || value > 2 * max) break;
      return value / 2;
    }
    throw NOT_PLAIN;
  }

  #long(): number {
    let value = 0;
    let factor = 1;
    for (let bytes = 0; bytes < LONG_BYTES; bytes++) {
      const byte = this.#view.getUint8(this.#at++);
      value += (byte & SEVEN_BITS) * factor;
      factor *= CONTINUES;
      if (byte < CONTINUES) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    throw NOT_PLAIN;
  }
}

function createKept(): Kept {
  const rings: number[][] = [];
  return {
    detection: { trackId: "", timestamp: 0, polygon: null, position: null, direction: null, metadata: null },
    rings,
    polygon: { rings, crs: null },
    position: { longitude: 0, latitude: 0, altitude: null, crs: null },
  };
}
