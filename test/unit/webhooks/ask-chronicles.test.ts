import { expect, test } from "vitest";
import { createLog } from "../../../services/common/log.ts";
import { createAskChronicles } from "../../../services/webhooks/ask-chronicles.ts";

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
  const post = async (_url: string, { body }: { readonly body: string | Buffer }) => {
    const { ids } = JSON.parse(body.toString()).variables;
    asked.push(ids);
    const answer = answerTo(ids);
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    return { status, headers: {}, body: Buffer.from(text), cut: false };
  };
  const log = createLog("test", "silent");
  const ask = createAskChronicles({ outbound: { post }, url: "http://api", signal: new AbortController().signal, log });
  const position = { topic: "chronicles", partition: 0, offset: 7 } as const;
  const found = async (ids: readonly string[]) => [
    ...(await ask(ids, position, { tokenId: "t", tokenValue: "v" })).keys(),
  ];
  return { asked, found };
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

test("a question that is too large is asked in smaller ones", async () => {
  const { found } = api((ids) => (ids.length > 2 ? refused("BAD_USER_INPUT") : shown(ids)));

  expect(await found(IDS)).toEqual(IDS);
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
