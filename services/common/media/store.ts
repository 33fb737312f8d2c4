// Store of images and videos: a local folder (local.ts) or an S3-compatible bucket (s3.ts).
import type { Readable } from "node:stream";
import { RETRY_AFTER_MS, unavailable } from "../../../schemas/errors.ts";

/** Every function rejects with UNAVAILABLE when the store does not answer. Paths: schemas/media-path.ts. */
export interface MediaStore {
  /** Resolves when the medium is durable. A reader sees the whole medium or none of it. */
  put(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * The caller must call `read` or `close`.
   * @returns undefined when there is no such medium.
   */
  open(path: string): Promise<OpenMedium | undefined>;
  exists(path: string): Promise<boolean>;
  /** Deleting a missing medium is no error. */
  delete(path: string): Promise<void>;
  /**
   * Returns an address from which anyone can read the medium until it expires. Does not check whether the medium
   * exists.
   */
  signedUrl(path: string): Promise<string>;
  /**
   * Resolves with the source for a program on this machine that reads the medium.
   * @returns undefined when there is no such medium.
   */
  source(path: string): Promise<MediumSource | undefined>;
}

export interface MediumSource {
  readonly path: string;
  /** A file (`file:/...`), or a link. */
  readonly input: string;
  /** Protocols that the program needs, and no more. */
  readonly protocols: string;
}

export interface OpenMedium {
  readonly bytes: number;
  /** Changes with the content; undefined when unknown. */
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

/** Rejects with UNAVAILABLE whatever the failure is: the callers cannot mend a store. */
export async function orMediaUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw unavailable("the media cannot be reached now", RETRY_AFTER_MS, error);
  }
}
