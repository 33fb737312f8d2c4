// GraphQL servers that do not answer as they should: 502, with the reason, and without what they sent.
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { freePort } from "../../../../../services/embedded/tools/free-port.ts";
import { type Asked, pageAnswer, pagesOf, startChronicleServer } from "../../../../support/running/chronicle-server.ts";
import { chronicleApi, query } from "../chronicle-api.ts";

const activity = (id: string, more: object = {}) => ({ id, startTime: "2026-02-01T10:00:00Z", endTime: null, ...more });
const html = "<html>secret of the server</html>";
const send =
  (status: number, body: string, type = "application/json") =>
  (_: Asked, response: ServerResponse) => {
    response.writeHead(status, { "content-type": type }).end(body);
  };
const answer = (value: unknown) => () => value;
const page = (nodes: readonly object[], cursor: string | null = null) =>
  pageAnswer("startTime", nodes as never, cursor);

const misbehaving: Readonly<Record<string, readonly [(asked: Asked, response: ServerResponse) => unknown, string]>> = {
  "status 500": [send(500, "{}"), "it answered with status 500"],
  HTML: [send(200, html, "text/html"), "its answer does not have the shape that was asked for"],
  "HTML with status 502": [send(502, html, "text/html"), "it answered with status 502"],
  "a redirect": [
    (_: Asked, response: ServerResponse) =>
      response.writeHead(307, { location: "http://127.0.0.1:1/" }).end() && undefined,
    "it answered with status 307",
  ],
  "no body": [send(200, ""), "its answer does not have the shape that was asked for"],
  "an array": [answer([]), "its answer does not have the shape that was asked for"],
  "no data": [answer({ data: null }), "its answer does not have the shape that was asked for"],
  "no connection": [
    answer({ data: { activityChronicles: null } }),
    "its answer does not have the shape that was asked for",
  ],
  "a cut-off answer": [
    (_: Asked, response: ServerResponse) =>
      void response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy()),
    "the connection failed (ECONNRESET)",
  ],
  "a hang-up": [(_: Asked, response: ServerResponse) => void response.destroy(), "the connection failed (ECONNRESET)"],
  "errors of GraphQL": [
    answer({ data: null, errors: [{ message: "the token is not valid" }, { message: "nothing else" }] }),
    "the token is not valid; nothing else",
  ],
  "errors of GraphQL with another status": [send(401, '{"errors":[{"message":"who are you?"}]}'), "who are you?"],
  "a chronicle without a start": [
    answer(page([{ id: "a" }])),
    "a chronicle does not have the shape that was asked for",
  ],
  "a chronicle with a strange time": [
    answer(page([activity("a", { startTime: "yesterday" })])),
    "a chronicle does not have the shape that was asked for",
  ],
  "labels that are no texts": [
    answer(page([activity("a", { labels: [1] })])),
    "a chronicle does not have the shape that was asked for",
  ],
  "an empty page before others": [answer(page([], "next")), "its pages do not advance"],
  "no cursor before others": [
    answer({ data: { activityChronicles: { pageInfo: { hasNextPage: true }, edges: [{ node: activity("a") }] } } }),
    "its pages do not advance",
  ],
  "a cursor that repeats": [answer(page([activity("a")], "same")), "its pages do not advance"],
};

test.each(Object.entries(misbehaving))("%s: 502", async (_, [answering, reason]) => {
  const { url } = await startChronicleServer(answering);

  const { status, body } = await chronicleApi({ ownUrl: url }).ask();

  expect(status).toBe(502);
  expect(body).toMatchObject({ type: "urn:tracklog:problem:upstream", detail: `the GraphQL server: ${reason}` });
});

test("what the server says is cut at 500 characters", async () => {
  const { url } = await startChronicleServer(answer({ errors: [{ message: "x".repeat(10_000) }] }));

  expect((await chronicleApi({ ownUrl: url }).ask()).body.detail).toBe(`the GraphQL server: ${"x".repeat(500)}`);
});

test("a server that is not there: 502 without its address", async () => {
  const { body, status } = await chronicleApi({ ownUrl: `http://127.0.0.1:${await freePort()}/graphql` }).ask();

  expect([status, body.detail]).toEqual([502, "the GraphQL server: the connection failed (ECONNREFUSED)"]);
});

test.each([
  ["no answer", () => undefined],
  ["pages without end", ({ variables: { after } }: Asked) => page([activity(`a${after}`)], String(Number(after) + 1))],
])("%s: 502 when the time is over", async (_, answering) => {
  const { url } = await startChronicleServer(answering);

  const { status, body } = await chronicleApi({ ownUrl: url, timeoutMs: 300 }).ask();

  expect(status).toBe(502);
  expect(["no whole answer came in time", "its answers take too long"]).toContain(
    body.detail.slice("the GraphQL server: ".length),
  );
});

test("a page of more than was asked for: 502", async () => {
  const nodes = Array.from({ length: 251 }, (_, i) => activity(`a${i}`));
  const { url } = await startChronicleServer(answer(page(nodes)));

  expect((await chronicleApi({ ownUrl: url }).ask()).status).toBe(502);
});

test("an answer too large: 502", async () => {
  const { url } = await startChronicleServer((_, response) => {
    response.writeHead(200);
    const fill = () => {
      while (response.writable && response.write(Buffer.alloc(1024 * 1024, " ")));
    };
    response.on("drain", fill);
    fill();
  });

  expect((await chronicleApi({ ownUrl: url }).ask()).body.detail).toBe("the GraphQL server: its answer is too large");
});

test("metadata that is nested deep: an answer or 502", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const text = JSON.stringify(page([activity("a", { metadata: "DEEP" })])).replace('"DEEP"', deep);
  const { url } = await startChronicleServer(send(200, text));

  expect([200, 502]).toContain((await chronicleApi({ ownUrl: url }).ask()).status);
});

test("the first failure ends the other fetches, and none begins", async () => {
  let left = 0;
  const server = await startChronicleServer(({ variables: { filter } }, response) => {
    if (filter["startTime"]?.between[0] === "2026-01-25T00:00:00.000Z") return { errors: [{ message: "no" }] };
    response.on("close", () => left++);
    return undefined;
  });

  expect((await chronicleApi({ ownUrl: server.url }).ask()).status).toBe(502);
  await expect.poll(() => left).toBe(3);
  expect(server.asked).toHaveLength(4);
});

test("a caller that leaves ends the query", async () => {
  let ended: () => void = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const leave = new AbortController();
  const server = await startChronicleServer((_, response) => {
    response.on("close", ended);
    leave.abort();
  });
  const { app } = chronicleApi({ ownUrl: server.url });
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const request = fetch(`${origin}/api/chronicles/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(query(server.url, {})),
    signal: leave.signal,
  });

  await expect(request).rejects.toThrow();
  await end;
});

test("too many queries at once: 429 for those that are too many", async () => {
  const server = await startChronicleServer(async (asked) => {
    await expect.poll(() => server.asked.length).toBeGreaterThanOrEqual(16);
    return pagesOf([])(asked, undefined as never);
  });
  const { ask } = chronicleApi({ ownUrl: server.url });
  const instant = { time_match: "started_in" };

  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(instant)));

  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(16).fill(200), ...Array(4).fill(429)]);
  expect(answers.find(({ status }) => status === 429)?.headers["retry-after"]).toBe("1");
});

const MIB = 1024 * 1024;
const oneFetch = { time_match: "started_in" };

test("answers that take too much at once: 503 for those that are too many, until the others are gone", async () => {
  const text = `${" ".repeat(0.7 * MIB)}${JSON.stringify(page([activity("a")]))}`;
  let first: ServerResponse | undefined;
  const server = await startChronicleServer((_, response) => {
    if (first === undefined) {
      first = response;
      response.writeHead(200).write(text);
    } else response.writeHead(200).end(text);
  });
  const { ask } = chronicleApi({ ownUrl: server.url, answerBudgetBytes: 1.5 * MIB });
  const slow = ask(oneFetch);
  await expect.poll(() => server.asked.length).toBe(1);

  await expect.poll(async () => (await ask(oneFetch)).status).toBe(503);
  const refused = await ask(oneFetch);
  first?.end();

  expect([refused.headers["retry-after"], refused.body.type]).toEqual(["1", "urn:tracklog:problem:unavailable"]);
  expect((await slow).status).toBe(200);
  expect((await ask(oneFetch)).status).toBe(200);
});

test.each([
  ["objects", "raw", { metadata: { text: "x".repeat(0.3 * MIB) } }],
  ["labels", "rollup", { labels: ["x".repeat(0.3 * MIB)] }],
])("what a query keeps of many answers counts, too: %s", async (_, output, more) => {
  const many = (count: number) => Array.from({ length: count }, (_each, i) => activity(`a${i}`, more));
  const asking = { ...oneFetch, aggregation: { output } };
  const few = await startChronicleServer(pagesOf(many(2), 1));
  const flood = await startChronicleServer(pagesOf(many(20), 1));

  expect((await chronicleApi({ ownUrl: few.url, answerBudgetBytes: 4 * MIB }).ask(asking)).status).toBe(200);
  expect((await chronicleApi({ ownUrl: flood.url, answerBudgetBytes: 4 * MIB }).ask(asking)).status).toBe(503);
});
