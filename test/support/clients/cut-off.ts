// A way to a server that a test can cut.
import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Way {
  readonly port: number;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** To the host and port of the URL; ends with the test. */
export async function wayTo(url: string): Promise<Way> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let server: Server | undefined;
  let ownPort = 0;

  function forward(from: Socket): void {
    const to = connect({ host: hostname, port: Number(port) });
    for (const socket of [from, to]) {
      open.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => open.delete(socket));
    }
    from.pipe(to).pipe(from);
  }

  async function mend(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    server = createServer(forward).listen({ host: "127.0.0.1", port: ownPort }, resolve);
    await promise;
    const address = server.address();
    if (typeof address === "object" && address !== null) ownPort = address.port;
  }

  async function cut(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    server?.close(() => resolve());
    for (const socket of open) socket.destroy();
    if (server !== undefined) await promise;
    server = undefined;
  }

  await mend();
  onTestFinished(cut);
  return { port: ownPort, cut, mend };
}
