// Clients that take several messages in one frame get the same ones, in the same order, as all others.
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { created, detection, recorded } from "../../support/scenes/feed-events.ts";
import { createInstallation } from "./installation.ts";
import { connect } from "./raw-client.ts";
import { init, WAIT } from "./subscription.ts";

const LINES = "graphql-transport-ws.lines";
const installation = await createInstallation();
const { token } = installation;

const subscribe = (id: string, query: string) => ({ id, type: "subscribe", payload: { query } });
const DETECTIONS = `subscription {
  detectionActivity(filter: { dataSourceId: { eq: "busy" } }) { id timestamp metadata track { id tag } }
}`;

/** Resolves when the server has accepted the subscription: it has answered a later message. */
async function follow(protocol: string, url: string) {
  const client = await connect(url, protocol);
  onTestFinished(() => client.drop());
  client.send(init(token));
  client.send(subscribe("1", DETECTIONS));
  client.send({ type: "ping" });
  await vi.waitUntil(() => client.messages.some(({ type }) => type === "pong"), WAIT);
  return client;
}

test("the messages of one turn come in one frame, and answers come after them", async () => {
  const api = await installation.startApi();
  const [plain, lines] = [await follow("graphql-transport-ws", api.url), await follow(LINES, api.url)];
  const texts = Array.from({ length: 40 }, (_, i) => `text ${i}\n\u2028`);
  const seen = texts.map((text, i) => ({ ...detection("t", i + 1), metadata: JSON.stringify({ text }) }));

  await installation.record(created("t", { dataSourceId: "busy" }), recorded("busy", ...seen));

  const next = ({ messages }: typeof plain) => messages.filter(({ type }) => type === "next");
  await vi.waitUntil(() => next(plain).length === seen.length && next(lines).length === seen.length, WAIT);
  expect(next(lines)).toEqual(next(plain));
  expect(next(lines).map(({ payload }) => payload.data.detectionActivity.metadata.text)).toEqual(texts);
  expect(plain.frames.length).toBe(plain.messages.length);
  expect(lines.frames.length).toBeLessThan(lines.messages.length);

  lines.send(subscribe("2", "{ sites(first: 1) { totalCount } }"));
  const ofQuery = () => lines.messages.filter(({ id }) => id === "2").map(({ type }) => type);
  await vi.waitUntil(() => ofQuery().length === 2, WAIT);
  expect(ofQuery()).toEqual(["next", "complete"]);
});

test("a message that is larger than a frame of lines comes whole", async () => {
  const api = await installation.startApi();
  const client = await follow(LINES, api.url);
  const large = JSON.stringify({ text: "x".repeat(60_000) });
  const seen = Array.from({ length: 4 }, (_, i) => ({ ...detection("large", i + 1), metadata: large }));

  await installation.record(created("large", { dataSourceId: "busy" }), recorded("busy", ...seen));

  const next = () => client.messages.filter(({ type }) => type === "next");
  await vi.waitUntil(() => next().length === seen.length, WAIT);
  expect(next().map(({ payload }) => payload.data.detectionActivity.metadata.text.length)).toEqual(
    Array(4).fill(60_000),
  );
});

test("a client that offers both protocols gets lines", async () => {
  const api = await installation.startApi();
  const ws = new WebSocket(api.url.replace(/^http/, "ws"), ["graphql-transport-ws", LINES]);
  onTestFinished(() => ws.terminate());

  await once(ws, "open");

  expect(ws.protocol).toBe(LINES);
});
