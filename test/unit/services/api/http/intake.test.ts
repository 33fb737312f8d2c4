import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type BodyIntake, createBodyIntake } from "../../../../../services/api/http/intake.ts";

const KIB = 1_024;
const MAX_BYTES = 1_024 * KIB;

interface Offered {
  readonly accepted: boolean;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  isIn(): boolean;
}

function offer(intake: BodyIntake, bytes: number, tokenId?: string): Offered {
  const request = new IncomingMessage(new Socket());
  if (tokenId !== undefined) request.principal = { tokenId, name: tokenId, scopes: [] };
  request.headers["content-length"] = String(bytes);
  const response = new ServerResponse(request);
  let isIn = false;
  const accepted = intake.offer(request, response, () => {
    isIn = true;
  });
  return { accepted, request, response, isIn: () => isIn };
}

const offerMany = (intake: BodyIntake, count: number, bytes: number, tokenId?: string) =>
  Array.from({ length: count }, () => offer(intake, bytes, tokenId));
const inOf = (offered: readonly Offered[]) => offered.filter(({ isIn }) => isIn()).length;

test("a request that comes alone is let in at once, even if it is larger than everything", () => {
  const offered = offer(createBodyIntake(MAX_BYTES), 8 * MAX_BYTES);

  expect([offered.accepted, offered.isIn()]).toEqual([true, true]);
});

test("many that come together are let in by portions, turn by turn, in their order", async () => {
  const intake = createBodyIntake(MAX_BYTES);
  const offered = offerMany(intake, 9, 100 * KIB);

  expect(inOf(offered)).toBe(3);
  await setImmediate();
  expect(offered.map(({ isIn }) => isIn())).toEqual([true, true, true, true, true, true, false, false, false]);
  await setImmediate();
  expect(inOf(offered)).toBe(9);
});

test("what the line has no room for is refused, until bodies have come in", () => {
  const intake = createBodyIntake(MAX_BYTES);
  const offered = offerMany(intake, 12, 100 * KIB);

  expect(offered.map(({ accepted }) => accepted).indexOf(false)).toBe(10);
  const [first] = offered;
  if (first !== undefined) intake.received(first.request);
  expect(offer(intake, 50 * KIB).accepted).toBe(true);
  expect(offer(intake, 100 * KIB).accepted).toBe(false);
});

test("who goes away while in line is not let in, and gives its room back once", async () => {
  const intake = createBodyIntake(MAX_BYTES);
  const offered = offerMany(intake, 10, 100 * KIB);
  const gone = offered[5];
  gone?.response.destroy();
  gone?.response.emit("close");
  if (gone !== undefined) intake.received(gone.request);

  expect(offer(intake, 100 * KIB).accepted).toBe(true);
  expect(offer(intake, 100 * KIB).accepted).toBe(false);
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  expect(offered.map(({ isIn }) => isIn()).indexOf(false)).toBe(5);
  expect(inOf(offered)).toBe(9);
});

test("a body without an announced length has room set aside for it", () => {
  const intake = createBodyIntake(MAX_BYTES);
  const accepted = Array.from({ length: 5 }, () => {
    const request = new IncomingMessage(new Socket());
    request.headers["transfer-encoding"] = "chunked";
    return intake.offer(request, new ServerResponse(request), () => undefined);
  });

  expect(accepted).toEqual([true, true, true, false, false]);
});

test("a large body finds room although small ones fill the line, one at a time", async () => {
  const intake = createBodyIntake(MAX_BYTES);
  offerMany(intake, 10, 100 * KIB);
  expect(offer(intake, 100 * KIB).accepted).toBe(false);

  const large = offer(intake, 8 * MAX_BYTES);
  expect(large.accepted).toBe(true);
  expect(offer(intake, 8 * MAX_BYTES).accepted).toBe(false);
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  expect(large.isIn()).toBe(true);

  intake.received(large.request);
  expect(offer(intake, 100 * KIB).accepted).toBe(false);
  expect(offer(intake, 8 * MAX_BYTES).accepted).toBe(true);
});

test("a body whose length was not announced takes room as it comes, and is refused where there is none", () => {
  const intake = createBodyIntake(MAX_BYTES);
  const requests = Array.from({ length: 3 }, () => {
    const request = new IncomingMessage(new Socket());
    request.headers["transfer-encoding"] = "chunked";
    intake.offer(request, new ServerResponse(request), () => undefined);
    return request;
  });
  const grown = (i: number, bytes: number) => requests[i] !== undefined && intake.grown(requests[i], bytes);

  expect([grown(0, 200 * KIB), grown(0, 400 * KIB)]).toEqual([true, true]);
  // Besides, there is room for one large body, and no more.
  expect([grown(1, 900 * KIB), grown(2, 900 * KIB)]).toEqual([true, false]);
  expect(offer(intake, 500 * KIB).accepted).toBe(true);
});

test("what waits on a WebSocket takes room from requests until it gives it back, and has its turn in line with them", async () => {
  const intake = createBodyIntake(MAX_BYTES);
  const operations = intake.operationsOf(() => "");

  expect(operations.take(MAX_BYTES - 10 * KIB)).toBe(true);
  expect(operations.take(20 * KIB)).toBe(false);
  expect(offer(intake, 20 * KIB).accepted).toBe(false);
  operations.giveBack(MAX_BYTES - 10 * KIB);
  const requests = offerMany(intake, 4, 200 * KIB);
  let isIn = false;
  operations.turn(KIB, () => {
    isIn = true;
  });

  expect([inOf(requests), isIn]).toEqual([2, false]);
  while (!isIn) await setImmediate();
  expect(inOf(requests)).toBe(4);
});

test("a request that comes behind many of another token is let in with the next portion", async () => {
  const intake = createBodyIntake(MAX_BYTES, true);
  const greedy = offerMany(intake, 7, 100 * KIB, "greedy");
  const calm = offer(intake, 10 * KIB, "calm");
  expect([inOf(greedy), calm.isIn()]).toEqual([3, false]);

  await setImmediate();

  expect(calm.isIn()).toBe(true);
  expect(inOf(greedy)).toBeLessThan(7);
});

test("a token takes three quarters of the room at most, and another one finds the rest", () => {
  const intake = createBodyIntake(MAX_BYTES, true);
  const greedy = offerMany(intake, 12, 100 * KIB, "greedy");

  expect(greedy.map(({ accepted }) => accepted).indexOf(false)).toBe(7);
  expect(offer(intake, 100 * KIB, "calm").accepted).toBe(true);
  const [first, second] = greedy;
  for (const each of [first, second]) if (each !== undefined) intake.received(each.request);
  expect(offer(intake, 100 * KIB, "greedy").accepted).toBe(true);
});
