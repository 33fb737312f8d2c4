// A recorded scene for sessions that are steered and looked at: two tracks in a zone, of which b ends first.
import type { Headers } from "../../support/clients/rest-client.ts";
import { created, drawn, INSIDE, OUTSIDE, recorded, seen, T0, updated } from "../../unit/projections/live/camera.ts";
import type { ReplaySystem } from "./installation.ts";

const DETECTIONS = 20;
const EVERY_MS = 500;

export async function recordScene({ record }: ReplaySystem): Promise<void> {
  await record(drawn(), created({ trackId: "a", startTime: T0 }), created({ trackId: "b", startTime: T0 + 100 }));
  for (let i = 0; i < DETECTIONS; i++) {
    const ms = i * EVERY_MS;
    const x = i % 5 < 2 ? OUTSIDE : INSIDE;
    const other = i < DETECTIONS / 2 ? [seen(ms + 100, INSIDE, { trackId: "b" })] : [];
    await record(recorded(seen(ms, x, { trackId: "a" }), ...other));
    if (i === DETECTIONS / 2) await record(updated({ trackId: "b", endTime: T0 + ms }));
  }
  await record(updated({ trackId: "a", endTime: T0 + DETECTIONS * EVERY_MS }));
}

/** Begins a session of both tracks, which goes as fast as it can. */
export const beginReplay = ({ ask, token }: ReplaySystem, id: string, more: object = {}, headers: Headers = token) =>
  ask("POST", `/api/replay/${id}`, { track_ids: ["a", "b"], mode: "auto", speed: "max", ...more }, headers);

export interface SeenSignal {
  readonly number: number;
  readonly kind: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly signal: Readonly<Record<string, unknown>> | null;
}

export interface SeenSignals {
  readonly signals: readonly SeenSignal[];
  readonly last: number;
  readonly passed_over: number;
}

export async function signalsOf({ ask }: ReplaySystem, id: string, query = "limit=200"): Promise<SeenSignals> {
  return (await ask("GET", `/api/replay/${id}/signals?${query}`)).body as SeenSignals;
}
