// The newest signals of a session, which callers may look at. Each is kept as a text.
import { isoTime } from "../../schemas/identity.ts";
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import type { KeptSignalAnswer } from "../../schemas/rest/replay-signals.ts";
import { type Context, payloadOf } from "../webhooks/deliveries/payload.ts";
import { waitingSignal } from "../webhooks/deliveries/waiting.ts";

/** Bounds: signals and bytes of a session, and sessions of a token that have some. */
export const KEPT_SIGNALS = { maxSignals: 200, maxBytes: 256 * 1_024, maxSessions: 16 } as const;
/** A larger signal is kept without its body. */
const MOST_BODY_BYTES = 64 * 1_024;
const MOST_ERROR_CHARACTERS = 500;

/** A signal that was delivered, given up, or only made. */
export interface DoneSignal {
  /** Its place among all signals of the session, from 1 on. */
  readonly number: number;
  readonly raised: SignalRaised;
  /** Time at which it was done, ms. */
  readonly at: number;
  /** Null in a session without a receiver. */
  readonly result: "delivered" | "failed" | null;
  /** Reason of the failure. */
  readonly error: string | null;
}

export type KeptSignal = Omit<KeptSignalAnswer, "number">;

/** Returns the signal as it may wait in memory: without a state that is too large to be kept. */
export const withoutLargeState = (done: DoneSignal): DoneSignal =>
  done.raised.state.length > MOST_BODY_BYTES ? { ...done, raised: { ...done.raised, state: "" } } : done;

export function keptText(done: DoneSignal, context: Omit<Context, "now">): string {
  const { raised, at, result, error } = withoutLargeState(done);
  const body = raised.state === "" ? null : keptBody(raised, { ...context, now: at });
  const kept = {
    kind: raised.signal,
    timestamp: isoTime(raised.timestamp),
    at: isoTime(at),
    result,
    error: error === null ? null : error.slice(0, MOST_ERROR_CHARACTERS),
  };
  const text = JSON.stringify({ ...kept, signal: body } satisfies KeptSignal);
  return Buffer.byteLength(text) <= MOST_BODY_BYTES ? text : JSON.stringify({ ...kept, signal: null });
}

/** All signals of a session have the same `trigger_config`, which may be as large as hundreds of them. */
function keptBody(raised: SignalRaised, context: Context) {
  const { trigger_config: _sameForAll, ...body } = payloadOf(waitingSignal(raised, context.now), 0, context);
  return body;
}

export const parseKept = (number: number, text: string): KeptSignalAnswer => ({ number, ...JSON.parse(text) });
