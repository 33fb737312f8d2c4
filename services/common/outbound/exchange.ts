import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { OutboundError, outboundError } from "./errors.ts";

export interface PostOptions {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for the whole exchange: name, connection, headers and body. */
  readonly timeoutMs: number;
  /** Bytes of the answer's body; the rest is cut off. */
  readonly maxResponseBytes: number;
  /** Called before this number of bytes is allocated for the body. The exchange ends when it returns false. */
  readonly admits?: (bytes: number) => boolean;
  readonly signal?: AbortSignal;
  /**
   * Called when the connection is open, right before the first byte. Nothing is sent when it rejects or resolves with
   * false.
   */
  readonly mayBegin?: () => Promise<boolean>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** True when the body was longer than `maxResponseBytes`. */
  readonly cut: boolean;
}

type Bounds = Pick<PostOptions, "body" | "timeoutMs" | "maxResponseBytes" | "admits" | "signal" | "mayBegin">;

/** Sends one request and reads its answer, within the limits. Rejects only with OutboundError. */
export async function exchange(open: () => ClientRequest, bounds: Bounds): Promise<HttpAnswer> {
  const deadline = performance.now() + bounds.timeoutMs;
  let first: ClientRequest | undefined;
  try {
    first = open();
    return await once(first, bounds, bounds.timeoutMs);
  } catch (error) {
    // The server closed an idle connection while we reused it. It has read nothing of this request, so the request is
    // sent once more.
    const left = deadline - performance.now();
    if (!(first?.reusedSocket && isReset(error) && left > 0)) throw outboundError(error);
    return await once(open(), bounds, left).catch((again: unknown) => Promise.reject(outboundError(again)));
  }
}

const isReset = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ECONNRESET";

async function once(
  request: ClientRequest,
  { body, maxResponseBytes, admits, signal, mayBegin = async () => true }: Bounds,
  leftMs: number,
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const end = (error: OutboundError) => {
    reject(error);
    request.destroy();
  };
  const timer = setTimeout(() => end(new OutboundError("timeout", "no whole answer came in time")), leftMs);
  const abort = () => end(new OutboundError("aborted", "the request was given up"));
  signal?.addEventListener("abort", abort, { once: true });
  request.on("response", (response) => gather(response, maxResponseBytes, admits).then(resolve, reject));
  request.on("error", reject);
  request.on("upgrade", (_response, socket) => {
    socket.destroy();
    end(new OutboundError("protocol", "the server switched to another protocol"));
  });
  const begin = async () => {
    if (!(await mayBegin().catch(() => false))) end(new OutboundError("withheld", "nothing was to be sent any more"));
    else if (!request.destroyed) request.end(body);
  };
  request.on("socket", (socket) => whenOpen(socket, begin));
  try {
    if (signal?.aborted) abort();
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function whenOpen(socket: Socket, then: () => void): void {
  const isSecure = socket instanceof TLSSocket;
  // The protocol is null until the handshake is over.
  const isOpen = isSecure ? socket.alpnProtocol !== null : !socket.connecting;
  if (isOpen) then();
  else socket.once(isSecure ? "secureConnect" : "connect", then);
}

const FIRST_BYTES = 16 * 1024;

/**
 * Reads into one buffer that grows: an object for each part would take more memory than the parts, if these have a byte
 * each.
 */
async function gather(response: IncomingMessage, maxBytes: number, admits = (_: number) => true): Promise<HttpAnswer> {
  let body = Buffer.alloc(0);
  let bytes = 0;
  let cut = false;
  // Leaving the loop early closes the connection: the rest is never read.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const needed = Math.min(bytes + chunk.length, maxBytes);
    if (needed > body.length) {
      const size = Math.min(Math.max(needed, 2 * body.length, FIRST_BYTES), maxBytes);
      if (!admits(size)) throw new OutboundError("too-large", "there is no room for the answer");
      const grown = Buffer.allocUnsafe(size);
      body.copy(grown);
      body = grown;
    }
    cut = chunk.copy(body, bytes, 0, needed - bytes) < chunk.length;
    bytes = needed;
    if (cut) break;
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: body.subarray(0, bytes), cut };
}
