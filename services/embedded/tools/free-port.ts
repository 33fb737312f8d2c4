import { randomInt } from "node:crypto";
import { createServer } from "node:net";

export const LOOPBACK = "127.0.0.1";

// These ports are below those that Linux (32768) and macOS (49152) give to outgoing connections: a store that stops for
// a while finds its port still free.
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const ATTEMPTS = 100;

/** Stores start side by side: a port given to one is not in use yet when the next one asks. */
const given = new Set<number>();

/** Returns a port of 127.0.0.1 that is not in use and was not given before. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${ATTEMPTS} ports tried on ${LOOPBACK} is free`);
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once("error", () => resolve(false));
  server.listen({ port, host: LOOPBACK }, () => server.close(() => resolve(true)));
  return promise;
}
