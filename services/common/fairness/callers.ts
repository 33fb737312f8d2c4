// The limits of each caller at this process: rates, and things in progress. Callers are known by an id, never by a
// secret.
import { type AppError, RETRY_AFTER_MS, tooManyRequests } from "../../../schemas/errors.ts";
import type { Log } from "../log.ts";
import { Allowance } from "./allowance.ts";
import { HeldCounts } from "./held-counts.ts";
import { limitRefusals } from "./metrics.ts";

export interface CallerLimits<Rate extends string, Kind extends string> {
  /** Amounts that a caller may spend in a second. */
  readonly perS: Readonly<Record<Rate, number>>;
  /** Numbers of things that a caller may have in progress. */
  readonly inProgress: Readonly<Record<Kind, number>>;
}

export interface Callers<Rate extends string, Kind extends string> {
  /**
   * Spends the amount, unless the caller is in debt from before.
   * @returns the refusal when it is: nothing was spent then.
   */
  spend(caller: string, rate: Rate, amount: number): AppError | undefined;
  /** Spends what cannot be refused any more; the caller may be in debt then. */
  charge(caller: string, rate: Rate, amount: number): void;
  /** @returns the refusal when the caller has too many of the kind in progress; otherwise `end` must be called. */
  begin(caller: string, kind: Kind): AppError | undefined;
  end(caller: string, kind: Kind): void;
  /** Counts a refusal of another limit of this caller, and returns its error. */
  refuse(caller: string, limit: string, retryAfterMs?: number): AppError;
}

export interface CallersOptions<Rate extends string, Kind extends string> {
  readonly limits: CallerLimits<Rate, Kind>;
  /** Names the setting of a limit. */
  readonly settingOf: (limit: string) => string;
  readonly log: Log;
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number;
}

/** Callers that have used nothing since are forgotten this often. */
const FORGET_EVERY_MS = 60_000;
/** A caller that is refused all the time is logged this often. */
const LOG_EVERY_MS = 60_000;

/** Nothing is allocated for a request within the limits of a known caller. */
export function createCallers<Rate extends string, Kind extends string>({
  limits,
  settingOf,
  log,
  now,
}: CallersOptions<Rate, Kind>): Callers<Rate, Kind> {
  const callers = new Map<string, Caller<Rate, Kind>>();
  let forgottenAtMs = now();

  function forgetIdle(nowMs: number): void {
    forgottenAtMs = nowMs;
    for (const [id, caller] of callers) if (caller.isIdle(nowMs)) callers.delete(id);
  }

  function of(id: string, nowMs: number): Caller<Rate, Kind> {
    if (nowMs - forgottenAtMs > FORGET_EVERY_MS) forgetIdle(nowMs);
    let caller = callers.get(id);
    if (caller === undefined) {
      caller = new Caller(limits, nowMs);
      callers.set(id, caller);
    }
    return caller;
  }

  function refuse(id: string, limit: string, retryAfterMs = RETRY_AFTER_MS): AppError {
    const nowMs = now();
    limitRefusals.inc({ limit });
    const refused = of(id, nowMs).refused(nowMs);
    if (refused > 0) log.warn({ tokenId: id, limit, refused }, "a token exceeds its limit");
    return tooManyRequests(`this token exceeds ${settingOf(limit)}`, retryAfterMs);
  }

  return {
    spend(id, rate, amount) {
      const nowMs = now();
      const waitMs = of(id, nowMs).spend(rate, amount, nowMs);
      return waitMs === 0 ? undefined : refuse(id, rate, waitMs);
    },
    charge(id, rate, amount) {
      const nowMs = now();
      of(id, nowMs).charge(rate, amount);
    },
    begin: (id, kind) => (of(id, now()).begin(kind) ? undefined : refuse(id, kind)),
    end: (id, kind) => callers.get(id)?.end(kind),
    refuse,
  };
}

class Caller<Rate extends string, Kind extends string> {
  readonly #limits: CallerLimits<Rate, Kind>;
  readonly #allowances = new Map<Rate, Allowance>();
  readonly #inProgress = new HeldCounts<Kind>();
  #refusals = 0;
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(limits: CallerLimits<Rate, Kind>, nowMs: number) {
    this.#limits = limits;
    for (const rate in limits.perS) this.#allowances.set(rate, new Allowance(limits.perS[rate], nowMs));
  }

  /** Returns the milliseconds after which the caller may try again; 0 when the amount was spent. */
  spend(rate: Rate, amount: number, nowMs: number): number {
    const allowance = this.#allowances.get(rate);
    const waitMs = allowance?.waitMs(nowMs) ?? 0;
    if (waitMs === 0) allowance?.spend(amount);
    return waitMs;
  }

  charge(rate: Rate, amount: number): void {
    this.#allowances.get(rate)?.spend(amount);
  }

  begin(kind: Kind): boolean {
    if (this.#inProgress.of(kind) >= this.#limits.inProgress[kind]) return false;
    this.#inProgress.take(kind);
    return true;
  }

  end(kind: Kind): void {
    this.#inProgress.giveBack(kind);
  }

  /** Returns the number of refusals since the last line of the log; 0 when the next line is not due yet. */
  refused(nowMs: number): number {
    this.#refusals += 1;
    if (nowMs - this.#loggedAtMs < LOG_EVERY_MS) return 0;
    const refused = this.#refusals;
    this.#refusals = 0;
    this.#loggedAtMs = nowMs;
    return refused;
  }

  /** @returns true when a new caller would be treated alike. */
  isIdle(nowMs: number): boolean {
    if (this.#inProgress.all > 0 || nowMs - this.#loggedAtMs < LOG_EVERY_MS) return false;
    return [...this.#allowances.values()].every((allowance) => allowance.isFull(nowMs));
  }
}
