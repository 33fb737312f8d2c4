// A load generator for one URL: keep-alive connections on raw sockets, so that it takes as little as possible of the
// processor that the server needs too.
import { connect } from "node:net";
import { HEAD_END, requestOf } from "../support/clients/raw-http.ts";
import { onLoad } from "../support/running/load-process.ts";

export interface HttpLoad {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turn, again and again. */
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly durationMs: number;
}

export interface HttpLoadResult {
  readonly answers: number;
  readonly seconds: number;
  /** The first answer that was not 200 or carried errors. */
  readonly failure: string | undefined;
}

function run(load: HttpLoad): Promise<HttpLoadResult> {
  const requests = load.bodies.map((body) => requestOf(load, body));
  const deadline = performance.now() + load.durationMs;
  const startedAt = performance.now();
  let next = 0;
  let answers = 0;
  let failure: string | undefined;

  const drive = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: load.port, host: "127.0.0.1", noDelay: true });
      let received: Buffer = Buffer.alloc(0);
      const send = () => {
        if (performance.now() >= deadline || failure !== undefined) {
          socket.end();
          return resolve();
        }
        socket.write(requests[next++ % requests.length] ?? "");
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const end = received.indexOf(HEAD_END);
        if (end < 0) return;
        const head = received.toString("latin1", 0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (received.length < end + 4 + length) return;
        const body = received.toString("utf8", end + 4, end + 4 + length);
        if (!head.startsWith("HTTP/1.1 200") || body.includes('"errors"')) failure = `${head}\n${body}`;
        received = Buffer.alloc(0);
        answers += 1;
        send();
      });
    });

  return Promise.all(Array.from({ length: load.connections }, drive)).then(() => ({
    answers,
    seconds: (performance.now() - startedAt) / 1_000,
    failure,
  }));
}

onLoad(run);
