import type { ByteRange } from "../../common/media/store.ts";

/** RFC 9110 section 14: one range of bytes. Several, and what is no range, are ignored: the answer is then the whole. */
export function byteRange(header: string | undefined, bytes: number): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return within(bytes - Math.min(Number(last), bytes), bytes - 1, bytes);
  if (last !== "" && Number(last) < Number(first)) return undefined;
  return within(Number(first), last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1), bytes);
}

const within = (first: number, last: number, bytes: number) => (first < bytes ? { first, last } : "unsatisfiable");
