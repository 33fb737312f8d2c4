import type { ByteRange } from "../../common/media/store.ts";

/**
 * Parses one range of bytes (RFC 9110 section 14).
 * @returns undefined when the header has several ranges or none: the answer is then the whole medium.
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return within(bytes - Math.min(Number(last), bytes), bytes - 1, bytes);
  if (last !== "" && Number(last) < Number(first)) return undefined;
  return within(Number(first), last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1), bytes);
}

const within = (first: number, last: number, bytes: number) => (first < bytes ? { first, last } : "unsatisfiable");
