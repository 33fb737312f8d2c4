// Subscribers that misbehave: some never read, some read slowly, the others hang up all at once, again and again.
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import type { System } from "../support/running/launch-system.ts";
import { until } from "../support/running/processes.ts";
import { residentMib } from "../support/running/resident.ts";
import { settled } from "../support/running/settled.ts";
import { patientClient } from "../support/scenes/load.ts";
import { createTrack } from "./create-track.ts";

export interface RudeOptions {
  /** A third of each kind. */
  readonly subscribers: number;
  /** Detections that all of them are to get, with so much metadata that the network's buffers are soon full. */
  readonly messages: number;
}

export interface Rude {
  /** Closes of the subscribers that never read, seen afterwards: `code reason` with the number of subscribers. */
  readonly closedWith: Readonly<Record<string, number>>;
  /** How often a third of them connected and hung up. */
  readonly waves: number;
  /** The most resident memory of the API, in MiB. */
  readonly mostMib: number;
}

const METADATA = JSON.stringify("x".repeat(32_000));
const QUERY =
  "subscription ($dataSourceId: ID!) { detectionActivity(filter: { dataSourceId: { eq: $dataSourceId } }) { id metadata } }";
const START = Date.parse("2026-01-01T00:00:00.000Z");
const SLOW_MS = 20;

export async function rudeSubscribers(system: System, { subscribers, messages }: RudeOptions): Promise<Rude> {
  const talker = await createTalker(system);
  const third = Math.ceil(subscribers / 3);
  const group = () => Promise.all(Array.from({ length: third }, () => subscribe(system, talker.dataSourceId)));
  const [deaf, slow] = [await group(), await group()];
  for (const { socket } of deaf) socket.pause();
  const listening = listenAgain(system, deaf);
  listening.catch(() => undefined);
  for (const { socket } of slow) socket.on("message", () => breathe(socket));

  let [waves, mostMib, talking] = [0, 0, true];
  const comeAndGo = (async () => {
    while (talking) {
      for (const { socket } of await group()) socket.terminate();
      waves += 1;
    }
  })();
  // The function awaits it below; until then a failure must not end the process.
  comeAndGo.catch(() => undefined);
  for (let i = 1; i <= messages; i++) {
    await talker.write(i);
    if (i % 10 === 0) mostMib = Math.max(mostMib, await residentMib(system.services.api.pid));
  }
  talking = false;
  await comeAndGo;
  await listening;
  await settled(() => deaf.every(({ closed }) => closed() !== undefined));
  for (const { socket } of [...slow, ...deaf]) socket.terminate();
  const closedWith: Record<string, number> = {};
  for (const { closed } of deaf) {
    const reason = closed() ?? "still open";
    closedWith[reason] = (closedWith[reason] ?? 0) + 1;
  }
  return { closedWith, waves, mostMib };
}

/** The reason waits for a closed client for half a minute: so each reads again as soon as the log names it. */
async function listenAgain({ services }: System, deaf: readonly { port: number; socket: WebSocket }[]): Promise<void> {
  const waiting = new Map(deaf.map(({ port, socket }) => [port, socket]));
  const check = () => {
    for (const [, port] of services.api.output().matchAll(CLOSED)) {
      waiting.get(Number(port))?.resume();
      waiting.delete(Number(port));
    }
    return waiting.size === 0;
  };
  await until(check, { timeoutMs: CLOSED_WITHIN_MS, pauseMs: 500 });
}

const CLOSED = /"client":"[^"]*:(\d+)","code":443/g;
/** Two pings, or until a queue is full, on a busy machine. */
const CLOSED_WITHIN_MS = 120_000;

/** A data source with one track and large messages. */
async function createTalker(system: System) {
  const client = patientClient(system.client);
  const { dataSourceId, trackId } = await createTrack(system.client, "talker", START);
  return {
    dataSourceId,
    async write(i: number): Promise<void> {
      const detection = {
        trackId,
        timestamp: new Date(START + i * 100).toISOString(),
        metadata: METADATA,
      };
      await client.ask(
        "mutation ($detection: CreateDetectionInput!) { createDetection(detection: $detection) { id } }",
        { detection },
      );
    },
  };
}

async function breathe(socket: WebSocket): Promise<void> {
  socket.pause();
  await delay(SLOW_MS);
  socket.resume();
}

/** Resolves when the server has been asked. */
async function subscribe({ url, token }: System, dataSourceId: string) {
  const socket = new WebSocket(url.replace(/^http/, "ws"), "graphql-transport-ws");
  let closed: string | undefined;
  socket.on("close", (code, reason) => {
    closed = `${code} ${reason}`;
  });
  socket.on("error", () => undefined);
  // The client's own port, by which the API's log names it.
  let port = 0;
  socket.on("upgrade", (response) => {
    port = response.socket.localPort ?? 0;
  });
  await once(socket, "open");
  const send = (message: object) => socket.send(JSON.stringify(message));
  send({ type: "connection_init", payload: { "x-token-id": token.id, "x-token-value": token.value } });
  send({ id: "1", type: "subscribe", payload: { query: QUERY, variables: { dataSourceId } } });
  return { socket, port, closed: () => closed };
}
