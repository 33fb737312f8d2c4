import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createCallers } from "../../../../../services/common/fairness/callers.ts";

const limits = { perS: { requests: 2, bytes: 1_000 }, inProgress: { queries: 2 } };

function callersOf() {
  let nowMs = 0;
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(text: Buffer, _encoding, done) {
      lines.push(JSON.parse(text.toString()));
      done();
    },
  });
  const callers = createCallers<"requests" | "bytes", "queries">({
    limits,
    settingOf: (limit) => `LIMIT_OF_${limit}`,
    log: pino(sink),
    now: () => nowMs,
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { callers, pass, lines };
}

test("a caller beyond its rate is refused with the time after which it may try again, and others are not", () => {
  const { callers, pass } = callersOf();
  const spend = (caller: string) => callers.spend(caller, "requests", 1);
  expect([spend("a"), spend("a")]).toEqual([undefined, undefined]);

  const refusal = spend("a");

  expect(refusal).toMatchObject({ code: "TOO_MANY_REQUESTS", message: "this token exceeds LIMIT_OF_requests" });
  expect(spend("b")).toBeUndefined();
  pass(refusal?.retryAfterMs ?? 0);
  expect(spend("a")).toBeUndefined();
});

test("a refused amount is not spent", () => {
  const { callers, pass } = callersOf();
  expect(callers.spend("a", "bytes", 3_000)).toBeUndefined();
  for (let i = 0; i < 5; i++) expect(callers.spend("a", "bytes", 3_000)).toBeDefined();

  pass(2_001);

  expect(callers.spend("a", "bytes", 1)).toBeUndefined();
});

test("a caller has a number of things in progress, and may begin another one when one has ended", () => {
  const { callers } = callersOf();
  const begin = (caller: string) => callers.begin(caller, "queries")?.code;

  expect([begin("a"), begin("a"), begin("a"), begin("b")]).toEqual([
    undefined,
    undefined,
    "TOO_MANY_REQUESTS",
    undefined,
  ]);
  callers.end("a", "queries");
  expect(begin("a")).toBeUndefined();
});

test("a caller is forgotten only when it has nothing in progress and owes nothing", () => {
  const { callers, pass } = callersOf();
  for (let i = 0; i < 2; i++) expect(callers.begin("busy", "queries")).toBeUndefined();
  callers.spend("indebted", "bytes", 200_000);
  pass(61_000);
  // The first call after a minute forgets callers.
  callers.spend("other", "requests", 1);

  expect(callers.begin("busy", "queries")?.code).toBe("TOO_MANY_REQUESTS");
  expect(callers.spend("indebted", "bytes", 1)?.code).toBe("TOO_MANY_REQUESTS");
});

test("a caller that is refused all the time is logged once a minute, by its id, with the number of refusals", () => {
  const { callers, pass, lines } = callersOf();
  const refuseMany = () => {
    for (let i = 0; i < 100; i++) callers.refuse("a", "history");
  };
  refuseMany();
  expect(lines).toMatchObject([{ tokenId: "a", limit: "history", refused: 1 }]);
  pass(60_000);
  refuseMany();

  expect(lines.map(({ refused }) => refused)).toEqual([1, 100]);
});
