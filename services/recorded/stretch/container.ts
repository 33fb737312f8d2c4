// Parts that a writer and a reader of Avro object container files share:
// https://avro.apache.org/docs/1.11.1/specification/
import avro from "avsc";
import { MIB } from "../../../schemas/units.ts";

export const MAGIC = Buffer.from("Obj\x01");
export const SYNC_BYTES = 16;

export const SCHEMA = "avro.schema";
export const CODEC = "avro.codec";

export const codecNames = ["deflate", "null"] as const;
export type ContainerCodec = (typeof codecNames)[number];

/** Uncompressed bytes after which a block is written. A larger record is a block of its own. */
export const BLOCK_BYTES = 256 * 1024;
/** The largest block that a reader accepts, compressed or not. A message of the log has at most 8 MiB. */
export const MAX_BLOCK_BYTES = 32 * MIB;

export const longType = avro.Type.forSchema("long");
export const headerMapType = avro.Type.forSchema({ type: "map", values: "bytes" });

/** The file is no container, or it is damaged. The message is for the person who named the file. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
}
