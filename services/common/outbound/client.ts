// Posts to addresses that a caller chose: without redirects or proxies, and with limits on time and size.
import { Agent, request as overHttp } from "node:http";
import { request as overTls, Agent as TlsAgent } from "node:https";
import type { LookupFunction } from "node:net";
import { OutboundError } from "./errors.ts";
import { exchange, type HttpAnswer, type PostOptions } from "./exchange.ts";
import { type Guard, HTTP } from "./guard.ts";
import { type Resolve, type Resolved, resolveFor } from "./resolve.ts";

export type { HttpAnswer, PostOptions } from "./exchange.ts";

export interface Outbound {
  /** Any status is an answer, also a redirect. Rejects only with OutboundError. */
  post(url: string, options: PostOptions): Promise<HttpAnswer>;
  /** Closes idle and busy connections. */
  close(): void;
}

export interface OutboundOptions {
  readonly guard: Guard;
  readonly allowSelfSigned: boolean;
  readonly resolve?: Resolve;
}

/** Maximum number of connections to one origin. Further requests wait, within their own time limit. */
const MAX_CONNECTIONS = 64;
const MAX_IDLE_CONNECTIONS = 16;
const IDLE_MS = 10_000;
export const MAX_HEADER_BYTES = 16_384;

export function createOutbound({ guard, allowSelfSigned, resolve = resolveFor(guard) }: OutboundOptions): Outbound {
  const pool = { keepAlive: true, maxSockets: MAX_CONNECTIONS, maxFreeSockets: MAX_IDLE_CONNECTIONS, timeout: IDLE_MS };
  const agents = { http: new Agent(pool), https: new TlsAgent({ ...pool, rejectUnauthorized: !allowSelfSigned }) };
  const lookup = checkedLookup(guard, oncePerName(resolve));
  return {
    post: async (text, options) => {
      // Node does not look up a literal address, so this is its only check.
      const refusal = guard.refusal(text, HTTP);
      if (refusal !== undefined) throw new OutboundError("refused-address", refusal);
      const url = new URL(text);
      const secure = url.protocol === "https:";
      const headers = {
        ...options.headers,
        "accept-encoding": "identity",
        "content-length": Buffer.byteLength(options.body),
      };
      const sent = { method: "POST", headers, lookup, maxHeaderSize: MAX_HEADER_BYTES };
      const open = () =>
        secure ? overTls(url, { ...sent, agent: agents.https }) : overHttp(url, { ...sent, agent: agents.http });
      return exchange(open, options);
    },
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Node connects exactly to the checked addresses: nothing is resolved a second time between check and connection. */
const checkedLookup =
  (guard: Guard, resolve: Resolve): LookupFunction =>
  (host, options, callback) => {
    const checked = async (): Promise<readonly Resolved[]> => {
      const found = await resolve(host);
      // One bad address refuses all: honest names have no private address beside a public one.
      if (found.length > 0 && found.every(({ address }) => guard.admits(host, address))) return found;
      const message = `${host} resolves to an address that is not among ALLOWED_URL_DOMAINS or ALLOWED_URL_CIDRS`;
      throw new OutboundError("refused-address", message);
    };
    checked().then(
      (found) => (options.all ? callback(null, [...found]) : callback(null, found[0]?.address ?? "", found[0]?.family)),
      (error: Error) => callback(error, ""),
    );
  };

/** Many requests to a slow name share one lookup. */
function oncePerName(resolve: Resolve): Resolve {
  const running = new Map<string, Promise<readonly Resolved[]>>();
  return (host) => {
    const known = running.get(host);
    if (known !== undefined) return known;
    const lookup = resolve(host).finally(() => running.delete(host));
    running.set(host, lookup);
    return lookup;
  };
}
