// Replay sessions that never run out: one that has ended begins again.
import { until } from "../../support/running/processes.ts";

export interface ReplayLoad {
  /** The address of the REST interface. */
  readonly url: string;
  readonly token: { readonly id: string; readonly value: string };
  readonly hookUrl: string;
  /** The tracks of a session; the sessions take them in turn. */
  readonly recorded: readonly (readonly string[])[];
  readonly sessions: number;
  /** Begins the ids of the sessions. */
  readonly name: string;
}

export interface Replaying {
  /** Deletes the sessions. */
  stop(): Promise<{ readonly begun: number; readonly signals: number }>;
}

interface Session {
  readonly state: string;
  readonly reason: string | null;
  readonly signals_sent: number;
}

const POLL_EVERY_MS = 1_000;

/** Resolves when all of them deliver. */
export async function keepReplaying(load: ReplayLoad): Promise<Replaying> {
  const { url, token, hookUrl, recorded, sessions, name } = load;
  const headers = { "content-type": "application/json", "x-token-id": token.id, "x-token-value": token.value };
  const ids = Array.from({ length: sessions }, (_, i) => `${name}-${i}`);
  const sent = new Map<string, number>();
  let [running, begun, ended] = [true, 0, 0];

  async function ask(method: string, id: string, body?: object): Promise<Session> {
    const response = await fetch(`${url}/api/replay/${id}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${id}: ${response.status} ${text}`);
    return text === "" ? { state: "deleted", reason: null, signals_sent: 0 } : JSON.parse(text);
  }

  async function begin(id: string, i: number): Promise<void> {
    begun += 1;
    const trackIds = recorded[i % recorded.length];
    await ask("POST", id, { track_ids: trackIds, mode: "auto", speed: "max", webhook_url: hookUrl });
  }

  async function check(id: string, i: number): Promise<void> {
    const { state, reason, signals_sent } = await ask("GET", id);
    if (state === "failed") throw new Error(`${id}: ${reason}`);
    sent.set(id, signals_sent);
    if (state !== "finished") return;
    ended += signals_sent;
    sent.delete(id);
    await begin(id, i);
  }

  await Promise.all(ids.map(begin));
  await until(async () => {
    await Promise.all(ids.map(check));
    return ids.every((id) => (sent.get(id) ?? 0) > 0);
  });
  const signals = () => [...sent.values()].reduce((sum, count) => sum + count, ended);
  const before = signals();
  const loop = (async () => {
    while (running) {
      await Promise.all(ids.map(check));
      await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
    }
  })();
  loop.catch(() => undefined);
  return {
    async stop() {
      running = false;
      await loop;
      const after = signals();
      await Promise.all(ids.map((id) => ask("DELETE", id)));
      return { begun, signals: after - before };
    },
  };
}
