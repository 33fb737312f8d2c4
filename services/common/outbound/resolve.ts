// Looks up the names of receivers. A name that a caller chose may be slow on purpose, and must not hold up other names.
import { lookup, Resolver } from "node:dns/promises";
import { messageOf } from "../../../schemas/errors.ts";
import { OutboundError } from "./errors.ts";
import type { Guard } from "./guard.ts";

export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** Rejects when the name has no address. */
export type Resolve = (host: string) => Promise<readonly Resolved[]>;

/**
 * Names that the operator chose are looked up by the machine's resolver, all others by name servers only: a lookup by
 * the machine's resolver takes one of two threads for as long as a name server keeps it waiting.
 */
export const resolveFor =
  (guard: Pick<Guard, "isChosen">, ofMachine: Resolve = byMachine, ofServers: Resolve = byNameServers()): Resolve =>
  (host) =>
    guard.isChosen(host) ? ofMachine(host) : ofServers(host);

/** Looks names up by the machine's resolver, which also uses /etc/hosts and search domains. */
const byMachine: Resolve = (host) => lookup(host, { all: true });

/** Milliseconds until the next name server is asked; each gets longer in the second round. */
const ANSWER_MS = 1_000;
const ROUNDS = 3;
/** Milliseconds for a whole lookup. */
const LOOKUP_MS = 5_000;

/** Looks names up without a thread. `servers` are addresses with ports; by default those of this machine. */
export const byNameServers =
  (servers?: readonly string[], lookupMs = LOOKUP_MS): Resolve =>
  async (host) => {
    // Each lookup has its own resolver: only then can one be cancelled, and a change of the servers takes effect at
    // once.
    const resolver = new Resolver({ timeout: ANSWER_MS, tries: ROUNDS });
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), lookupMs);
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = answers.flatMap((answer, i) =>
        answer.status === "rejected" ? [] : answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })),
      );
      if (found.length === 0) throw unknownName(answers);
      return found;
    } finally {
      clearTimeout(timer);
    }
  };

function unknownName(answers: readonly PromiseSettledResult<unknown>[]): OutboundError {
  const failures = answers.flatMap((answer): unknown[] => (answer.status === "rejected" ? [answer.reason] : []));
  // A missing IPv6 address means nothing when another server did not answer.
  const failure = failures.find((each) => codeOf(each) !== "ENODATA") ?? failures[0];
  return new OutboundError("unknown-name", `the name cannot be resolved (${codeOf(failure)})`, failure);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : messageOf(error);
