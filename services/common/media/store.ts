// Where images and videos are kept: a local folder (local.ts) or an S3-compatible bucket (s3.ts).
import type { Readable } from "node:stream";

/** Every function rejects with UNAVAILABLE when the store does not answer. Paths: schemas/media-path.ts. */
export interface MediaStore {
  /** Resolves when the medium is durable. A reader sees the whole medium or none of it. */
  put(path: string, bytes: Uint8Array): Promise<void>;
  /** undefined = there is no such medium. The caller must call `read` or `close`. */
  open(path: string): Promise<OpenMedium | undefined>;
  exists(path: string): Promise<boolean>;
  /** A medium that is gone already is no error. */
  delete(path: string): Promise<void>;
  /** An address that gives the medium to whoever has it, until it expires. Does not ask whether the medium exists. */
  signedUrl(path: string): Promise<string>;
  /** For a program on this machine that reads the medium; undefined = there is none. */
  source(path: string): Promise<MediumSource | undefined>;
}

export interface MediumSource {
  readonly path: string;
  /** The file, as `file:/...`, or a link. */
  readonly input: string;
  /** What the program needs to speak, and no more. */
  readonly protocols: string;
}

export interface OpenMedium {
  readonly bytes: number;
  /** Changes with the content; undefined = unknown. */
  readonly tag: string | undefined;
  /** May be called once; the end of the stream closes the medium. */
  read(range?: ByteRange): Promise<Readable>;
  close(): Promise<void>;
}

/** Both ends are included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}
