// Looks up the names of receivers. One that a caller chose may be slow on purpose, and must not hold up other names.
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
 * Names that the installation chose are looked up as this machine does it, all others by name servers only: a lookup of
 * the machine takes one of two threads for as long as a name server keeps it waiting.
 */
export const resolveFor =
  (guard: Pick<Guard, "isChosen">, ofMachine: Resolve = byMachine, ofServers: Resolve = byNameServers()): Resolve =>
  (host) =>
    guard.isChosen(host) ? ofMachine(host) : ofServers(host);

/** Knows /etc/hosts and search domains. */
const byMachine: Resolve = (host) => lookup(host, { all: true });

/** Then the next name server is asked; each longer in the second round. */
const ANSWER_MS = 1_000;
const ROUNDS = 3;
/** A whole lookup. */
const LOOKUP_MS = 5_000;

/** Takes no thread. `servers`: addresses with ports; without them those of this machine. */
export const byNameServers =
  (servers?: readonly string[], lookupMs = LOOKUP_MS): Resolve =>
  async (host) => {
    // A resolver of its own for each lookup: only so can one be given up, and a change of the servers is seen at once.
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
  // That a name has no IPv6 address says nothing beside a server that did not answer.
  const failure = failures.find((each) => codeOf(each) !== "ENODATA") ?? failures[0];
  return new OutboundError("unknown-name", `the name cannot be resolved (${codeOf(failure)})`, failure);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : messageOf(error);
