// The signals of a replay as they come: each answer has those after the last one.
import type { Requests } from "./requests.ts";
import { replayPath } from "./rest-lists.ts";

export interface ReplaySignal {
  readonly number: number;
  readonly kind: string;
  /** Event time, ISO 8601. */
  readonly timestamp: string;
  readonly result: "delivered" | "failed" | null;
  readonly error: string | null;
  /** The signal as a delivery has it, without its trigger_config; null when it is too large to be kept. */
  readonly signal: Readonly<Record<string, unknown>> | null;
}

export interface FollowedSignals {
  /** The newest first. */
  readonly signals: readonly ReplaySignal[];
  readonly last: number;
  readonly passedOver: number;
}

interface SignalsAnswer {
  readonly signals: readonly ReplaySignal[];
  readonly last: number;
  readonly passed_over: number;
}

const MOST = 200;
const NOTHING: FollowedSignals = { signals: [], last: 0, passedOver: 0 };

export async function askReplaySignals(
  rest: Requests["rest"],
  id: string,
  before: FollowedSignals | undefined,
  signal: AbortSignal,
): Promise<FollowedSignals> {
  const known = before ?? NOTHING;
  const path = `${replayPath(id)}/signals?after=${known.last}&limit=${MOST}`;
  const answer = await rest<SignalsAnswer>("GET", path, undefined, signal);
  return {
    signals: [...answer.signals.toReversed(), ...known.signals].slice(0, MOST),
    last: answer.last,
    passedOver: known.passedOver + answer.passed_over,
  };
}

/** Words for track and zone of a signal, as far as it has them: a zone names the track that changed it. */
export function subjectsOf({ signal }: ReplaySignal): Readonly<Record<"track" | "zone", readonly string[]>> {
  const track = recordOf(signal?.["track_state"]);
  const zone = recordOf(signal?.["zone_state"]);
  return {
    track: textsOf(track["tag"] ?? zone["trigger_tag"], track["track_id"] ?? zone["trigger_track_id"]),
    zone: textsOf(zone["zone_name"] ?? zone["zone_id"]),
  };
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const textsOf = (...values: readonly unknown[]): readonly string[] =>
  values.filter((value) => typeof value === "string").filter((text) => text !== "");
