// Posts a message as Standard Webhooks describe it: signed with every valid secret of the receiver.
import { TRACE_PARENT } from "../../../schemas/trace-parent.ts";
import { SealError } from "../sealed.ts";
import type { Outbound } from "./client.ts";
import { OutboundError } from "./errors.ts";
import type { HttpAnswer, PostOptions } from "./exchange.ts";
import { signedHeaders } from "./signature.ts";

export interface SignedPost extends Pick<PostOptions, "timeoutMs" | "signal" | "mayBegin"> {
  readonly url: string;
  /** Value of the header `webhook-id`. */
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
  readonly userAgent: string;
  /** Value of the header `traceparent`; undefined for none. */
  readonly traceParent?: string | undefined;
}

/**
 * Only the status of an answer counts. The body is read up to this many bytes, so that the connection can be reused.
 */
const MAX_RESPONSE_BYTES = 64 * 1024;

export async function postSigned(outbound: Pick<Outbound, "post">, post: SignedPost): Promise<HttpAnswer> {
  const { url, id, body, secrets, userAgent, traceParent, ...bounds } = post;
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": userAgent,
    ...signedHeaders(id, Date.now(), body, secrets),
    ...(traceParent === undefined ? {} : { [TRACE_PARENT]: traceParent }),
  };
  return outbound.post(url, { body, headers, maxResponseBytes: MAX_RESPONSE_BYTES, ...bounds });
}

/** @returns true when the failure concerns one receiver: no answer came, or its secret cannot be opened. */
export const isReceiverFailure = (error: unknown): error is OutboundError | SealError =>
  error instanceof OutboundError || error instanceof SealError;
