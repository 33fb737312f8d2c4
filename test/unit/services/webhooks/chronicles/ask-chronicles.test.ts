import { expect, test } from "vitest";
import { answerTimesEnv, loadConfig } from "../../../../../services/common/config.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { OutboundError } from "../../../../../services/common/outbound/errors.ts";
import { answerTimeoutMs, createAskChronicles } from "../../../../../services/webhooks/chronicles/ask-chronicles.ts";

const node = (id: string) => ({
  ...{ id, updatedAt: "2026-01-01T00:00:00.000Z", endTime: null, status: null, priority: null, labels: null },
  ...{ locations: null, chronicleProducer: { id: "p" }, sites: null, dataSources: null, tags: null },
  pointsOfInterest: null,
});
const shown = (ids: readonly string[]) => ({
  data: { activityChronicles: { edges: ids.map((id) => ({ node: node(id) })) } },
});
const refused = (code: string) => ({ data: null, errors: [{ message: "no", extensions: { code } }] });

/** An API that answers with what `answerTo` gives; a text is no JSON. `asked`: the ids of each question. */
function api(answerTo: (ids: readonly string[]) => object | string, status = 200) {
  const asked: (readonly string[])[] = [];
  const waits: number[] = [];
  const post = async (_url: string, { body }: { readonly body: string | Buffer }) => {
    const { ids } = JSON.parse(body.toString()).variables;
    asked.push(ids);
    const answer = answerTo(ids);
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    return { status, headers: {}, body: Buffer.from(text), cut: false };
  };
  const log = createLog("test", "silent");
  const { signal } = new AbortController();
  const wait = async (ms: number) => void waits.push(ms);
  const ask = createAskChronicles({ outbound: { post }, url: "http://api", timeoutMs: 1_000, signal, log, wait });
  const position = { topic: "chronicles", partition: 0, offset: 7 } as const;
  const found = async (ids: readonly string[]) => [
    ...(await ask(ids, position, { tokenId: "t", tokenValue: "v" })).keys(),
  ];
  return { asked, waits, found };
}

const IDS = ["a", "b", "bad", "d", "e"];
const withBad = (bad: object) => (ids: readonly string[]) => (ids.includes("bad") ? bad : shown(ids));

test.each([
  ["refuses for a bound", refused("BAD_USER_INPUT")],
  ["fails on", refused("INTERNAL")],
  ["shows in a way that nobody expects", { data: { activityChronicles: { edges: [{ node: { id: "bad" } }] } } }],
])("a chronicle that the API %s keeps none of the others", async (_name, bad) => {
  expect(await api(withBad(bad)).found(IDS)).toEqual(["a", "b", "d", "e"]);
});

test("a chronicle that the API cannot show for a while is not given up", async () => {
  let failures = 0;
  const { waits, found } = api((ids) => {
    if (!ids.includes("bad") || failures === 3) return shown(ids);
    failures += 1;
    return refused("INTERNAL");
  });

  expect(await found(["bad"])).toEqual(["bad"]);
  expect(waits).toEqual([1_000, 5_000, 15_000]);
});

test("the API is given the same time for many chronicles that it refuses as for one", async () => {
  const { waits, found } = api((ids) => (ids.some((id) => IDS.includes(id)) ? refused("INTERNAL") : shown(ids)));

  expect(await found(IDS)).toEqual([]);
  expect(waits).toEqual([1_000, 5_000, 15_000]);
});

const isTooSlow = (): never => {
  throw new OutboundError("timeout", "no whole answer came in time");
};

test.each([
  ["large", () => refused("BAD_USER_INPUT")],
  ["heavy", () => refused("QUERY_TOO_HEAVY")],
  ["slow", isTooSlow],
])("a question that is too %s is asked in smaller ones", async (_name, answer) => {
  const { found } = api((ids) => (ids.length > 2 ? answer() : shown(ids)));

  expect(await found(IDS)).toEqual(IDS);
});

test.each([
  ["heavy", () => refused("QUERY_TOO_HEAVY")],
  ["slow", isTooSlow],
])(
  "a chronicle that is too %s even by itself is asked for again, and then keeps none of the others",
  async (_name, answer) => {
    const { waits, found } = api((ids) => (ids.includes("bad") ? answer() : shown(ids)));

    expect(await found(IDS)).toEqual(["a", "b", "d", "e"]);
    expect(waits).toEqual([1_000, 5_000, 15_000]);
  },
);

test("nobody misses a chronicle because of an API that is too slow whatever chronicle is asked for", async () => {
  const { found } = api((ids) => (ids.length > 0 ? isTooSlow() : shown(ids)));

  await expect(found(IDS)).rejects.toThrow("did not answer in time");
});

test("an answer is waited for longer than the API may take for it", () => {
  const slow = loadConfig(answerTimesEnv, { API_QUERY_MS: "29000", API_POSITION_WAIT_MS: "60000" });

  expect(answerTimeoutMs(slow)).toBeGreaterThan(89_000);
});

test.each([
  ["is away", refused("UNAVAILABLE"), 200],
  ["does not know the token", refused("UNAUTHENTICATED"), 401],
  ["is hidden by a proxy", "<html>", 502],
  ["is hidden by a proxy that speaks JSON", { error: "bad gateway" }, 502],
])("an API that %s is asked again later, as a whole", async (_name, answer, status) => {
  const { asked, found } = api(() => answer, status);

  await expect(found(IDS)).rejects.toThrow("did not answer");
  expect(asked).toEqual([IDS]);
});

test("nobody misses a chronicle because of an API that refuses whatever is asked", async () => {
  await expect(api(() => refused("BAD_USER_INPUT")).found(IDS)).rejects.toThrow("BAD_USER_INPUT");
});
