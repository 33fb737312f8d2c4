// A codec whose events of detections cost no objects.
import type { Codec } from "../../schemas/codec.ts";
import { DetectionsReader } from "../../schemas/log/detections-reader.ts";
import { HEADER_BYTES, schemaId } from "../common/registry/value-readers.ts";

/**
 * Returns the codec with a reader of its own for DetectionsRecorded in the schema of this version. Such an event is
 * valid until the next value is decoded.
 */
export function readingInPlace(codec: Codec): Codec {
  const written = codec.encode("DetectionsRecorded", { dataSourceId: "", detections: [] });
  const id = schemaId(written);
  const reader = new DetectionsReader();
  return {
    ...codec,
    decode(value) {
      if (value !== null && schemaId(value) === id) {
        const event = reader.read(value, HEADER_BYTES);
        if (event !== undefined) return { ok: true, type: "DetectionsRecorded", event };
      }
      return codec.decode(value);
    },
  };
}
