/** These words are stable: the delivery log and the callers compare them. */
export type OutboundReason =
  | "refused-address"
  | "unknown-name"
  | "connection"
  | "tls"
  | "protocol"
  | "too-large"
  | "timeout"
  | "aborted"
  | "withheld";

/**
 * Thrown when no answer came. The message is meant for the caller that chose the address: it has no resolved address
 * and no body.
 */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

const TLS = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$)/;
const NAME = /^(ENOTFOUND$|EAI_|ENODATA$)/;

/** Translates a failure of Node's client by its code. */
export function outboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "no code";
  if (code === "HPE_HEADER_OVERFLOW")
    return new OutboundError("too-large", "the answer's headers are too large", error);
  if (code.startsWith("HPE_")) return new OutboundError("protocol", `the answer is not HTTP (${code})`, error);
  if (NAME.test(code)) return new OutboundError("unknown-name", `the name cannot be resolved (${code})`, error);
  if (TLS.test(code)) return new OutboundError("tls", `TLS failed (${code})`, error);
  return new OutboundError("connection", `the connection failed (${code})`, error);
}
