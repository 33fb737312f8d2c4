// Callers of the REST interface whose answers must outlast the death of a master: events, replay sessions, tests of a
// subscription. Each repeats what was not answered with success.
import { setTimeout as delay } from "node:timers/promises";
import type { Headers } from "../support/clients/rest-client.ts";

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Callers {
  /** Ends the callers. Resolves with the figures. */
  stop(): Promise<Readonly<Record<string, number>>>;
  /** Resolves with a sentence for each answer that was forgotten, or given to two callers. */
  complaints(): Promise<readonly string[]>;
  /** Ids of the test signals that were accepted: the receiver must get each. */
  readonly tests: readonly string[];
}

export interface CallersOptions {
  readonly url: string;
  readonly token: Headers;
  /** A subscription to test, and the address of a receiver for sessions. */
  readonly subscriptionId: string;
  readonly webhookUrl: string;
}

const PAUSE_MS = 200;
/** Callers of one scope at a time. */
const TOGETHER = 4;
const KEPT_SESSIONS = 20;
const REPEAT_AFTER_MS = 50;
const ANSWERED_WITHIN_MS = 10_000;
const CHECK = { scope_type: "zone", workflow_id: "wf", workflow_name: "Gate watch", conditions_met: true };

export function startCallers({ url, token, subscriptionId, webhookUrl }: CallersOptions): Callers {
  let isOver = false;
  let repeated = 0;
  const longestMs = new Map<string, number>();

  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...token },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  }

  /** Repeats what was refused for the moment. A status that no repetition can mend is the answer. */
  async function untilAnswered(kind: string, ...request: Parameters<typeof ask>): Promise<Answer> {
    const begun = performance.now();
    for (;;) {
      const answer = await ask(...request).catch(() => undefined);
      if (answer !== undefined && answer.status !== 503 && answer.status !== 429) {
        longestMs.set(kind, Math.max(longestMs.get(kind) ?? 0, performance.now() - begun));
        return answer;
      }
      repeated += 1;
      await delay(REPEAT_AFTER_MS);
    }
  }

  const creators = new Map<string, number>();
  async function events(nth: number): Promise<void> {
    const scope = `s${nth}`;
    const path = `/api/events/${scope}`;
    const callers = Array.from({ length: TOGETHER }, () => untilAnswered("events", "POST", path, CHECK));
    const answers = await Promise.all(callers);
    creators.set(scope, answers.filter(({ body }) => body["action"] === "create_event").length);
    await untilAnswered("events", "PATCH", path, { workflow_id: "wf", global_event_id: `id of ${scope}` });
  }

  const sessions = new Map<string, "created" | "removed">();
  async function replays(nth: number): Promise<void> {
    const path = (id: number) => `/api/replay/r${id}`;
    const body = { track_ids: ["none"], mode: "manual", webhook_url: webhookUrl, workflow_name: "W" };
    const { status } = await untilAnswered("sessions", "POST", path(nth), body);
    // A repetition finds the session that an unanswered attempt has created.
    if (status === 201 || status === 409) sessions.set(path(nth), "created");
    const old = path(nth - KEPT_SESSIONS);
    if (!sessions.has(old)) return;
    await untilAnswered("sessions", "DELETE", old);
    sessions.set(old, "removed");
  }

  const tests: string[] = [];
  async function deliveries(): Promise<void> {
    const { status, body } = await untilAnswered("tests", "POST", `/api/subscriptions/${subscriptionId}/test`);
    if (status === 202) tests.push(String(body["id"]));
  }

  async function repeatedly(work: (nth: number) => Promise<void>): Promise<void> {
    for (let nth = 0; !isOver; nth++) {
      await work(nth);
      await delay(PAUSE_MS);
    }
  }
  const running = Promise.all([events, replays, deliveries].map(repeatedly));
  running.catch(() => undefined);

  return {
    tests,
    async stop() {
      isOver = true;
      await running;
      const longest = [...longestMs].map(([kind, ms]) => [`longest answer of ${kind}, ms`, Math.round(ms)] as const);
      const counts = { scopes: creators.size, sessions: sessions.size, tests: tests.length, repeated };
      return { ...counts, ...Object.fromEntries(longest) };
    },
    async complaints() {
      const found: string[] = [];
      for (const [scope, count] of creators) {
        if (count !== 1) found.push(`${count} callers were to create the event of ${scope}`);
        const { body } = await untilAnswered("events", "GET", `/api/events/${scope}`);
        if (body["global_event_id"] !== `id of ${scope}`) found.push(`${scope} is ${JSON.stringify(body)}`);
      }
      for (const [path, state] of sessions) {
        const { status } = await untilAnswered("sessions", "GET", path);
        if (status !== (state === "created" ? 200 : 404))
          found.push(`${path} was ${state}, and is answered with ${status}`);
      }
      return found;
    },
  };
}
