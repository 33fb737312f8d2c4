// The place of a medium within the store: a relative path, such as `images/3f/3f2a.png`.
import type { Flaw } from "./flaw.ts";

/**
 * The longest path, in bytes. An S3 key has at most 1 024 bytes, of which 128 are for the prefix of the bucket; a
 * file's name has at most 255.
 */
const MAX_BYTES = 896;
const MAX_SEGMENT_BYTES = 255;

/**
 * Checks a path. Segments that begin with a dot are refused, because the store itself uses such names: for unfinished
 * files, and for the key of the links.
 */
export function checkMediaPath(path: string): Flaw | undefined {
  if (Buffer.byteLength(path) > MAX_BYTES) return { path: [], reason: `a path has at most ${MAX_BYTES} bytes` };
  if (!path.isWellFormed() || /[\p{Cc}\\]/u.test(path)) {
    return { path: [], reason: "a path has no control character and no backslash" };
  }
  for (const segment of path.split("/")) {
    if (segment === "") return { path: [], reason: "a path is relative and has no empty segment" };
    if (segment.startsWith(".")) return { path: [], reason: "no segment of a path begins with a dot" };
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
      return { path: [], reason: `a segment of a path has at most ${MAX_SEGMENT_BYTES} bytes` };
    }
  }
  return undefined;
}
