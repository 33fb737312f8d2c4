import { expect, test } from "vitest";
import { parseTraceParent, traceParentIn } from "../../../schemas/trace-parent.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const SAMPLED = `00-${TRACE}-${SPAN}-01`;
const UNSAMPLED = `00-${TRACE}-${SPAN}-00`;

test("a header of version 00 is read with its decision", () => {
  expect(parseTraceParent(SAMPLED)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
  expect(parseTraceParent(UNSAMPLED)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: false });
  expect(parseTraceParent(`00-${TRACE}-${SPAN}-03`)?.isSampled).toBe(true);
  expect(parseTraceParent(`00-${TRACE}-${SPAN}-02`)?.isSampled).toBe(false);
});

test.each([
  ["another version", `01-${TRACE}-${SPAN}-01`],
  ["the forbidden version", `ff-${TRACE}-${SPAN}-01`],
  ["more than one header", `${SAMPLED}, ${SAMPLED}`],
  ["a longer one", `${SAMPLED}-00`],
  ["a line end", `${SAMPLED}\n`],
  ["capital letters", SAMPLED.toUpperCase()],
  ["no trace", `00-${"0".repeat(32)}-${SPAN}-01`],
  ["no span", `00-${TRACE}-${"0".repeat(16)}-01`],
  ["other letters", `00-${TRACE.replace("0", "g")}-${SPAN}-01`],
  ["nothing", ""],
  ["no text", 7],
  ["a list", [SAMPLED]],
])("%s is no parent", (_what, value) => {
  expect(parseTraceParent(value)).toBeUndefined();
});

test("a message's header counts only when the trace is recorded, and comes once", () => {
  const inBytes = (text: string) => traceParentIn({ traceparent: Buffer.from(text) });

  expect(inBytes(SAMPLED)).toBe(SAMPLED);
  expect(inBytes(UNSAMPLED)).toBeUndefined();
  expect(inBytes("x".repeat(5_000_000))).toBeUndefined();
  expect(inBytes("é".repeat(27))).toBeUndefined();
  expect(traceParentIn({ traceparent: [Buffer.from(SAMPLED), Buffer.from(SAMPLED)] })).toBeUndefined();
  expect(traceParentIn({})).toBeUndefined();
  expect(traceParentIn(undefined)).toBeUndefined();
});
