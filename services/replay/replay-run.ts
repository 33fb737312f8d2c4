// One run of a session: it folds the plan, waits for the time or the request of each step, and delivers the signals.
import type { Catalog } from "../../projections/catalog/catalog.ts";
import type { LiveSettings } from "../../projections/live/partition.ts";
import type { DoneSignal } from "../../projections/replay/kept-signals.ts";
import { createParcels, type Parcels, type ReplayParcel } from "../../projections/replay/parcels.ts";
import type { ReplayProgress, Segment } from "../../projections/replay/session.ts";
import { sessionSubscribers } from "../../projections/replay/session-subscribers.ts";
import type { RetrySettings } from "../../projections/webhooks/deliveries/outcome.ts";
import { createSignalListener } from "../../projections/webhooks/signals/signal-listener.ts";
import type { Log } from "../common/log.ts";
import { deliverParcel } from "../recorded/deliver.ts";
import { SessionFailed, SessionLost } from "../recorded/failed.ts";
import { storedSegments } from "../recorded/read-segment.ts";
import type { Recorded } from "../recorded/recorded.ts";
import type { SendReplay } from "../recorded/send.ts";
import { messagesOf, type ReachedStep, stepsIn } from "../recorded/steps.ts";
import { FOR_EVER, whileAway } from "../recorded/while-away.ts";
import type { Control } from "./control.ts";
import { KeptSignals } from "./kept-signals.ts";
import { replayAttempts } from "./metrics.ts";
import { RunProgress } from "./run-progress.ts";
import { createSessionTurns, SessionIdle, type SessionTurns } from "./session-turns.ts";
import type { Claimed, ReplayStore } from "./store.ts";

export interface RunDeps {
  readonly store: ReplayStore;
  readonly makePlan: Recorded["makePlan"];
  readonly prepare: Recorded["prepare"];
  readonly settings: Omit<LiveSettings, "listener">;
  /** Resolves when the process may continue its work. */
  readonly throttle: () => Promise<void>;
  readonly catalog: Catalog;
  readonly send: SendReplay;
  readonly retries: RetrySettings;
  /** Parcels in a row that were given up and end the session. */
  readonly stopAfter: number;
  /** Milliseconds after which a session ends that nobody steps or resumes. */
  readonly idleMs: number;
  readonly log: Log;
}

/** Longest time between two writes of the position while nothing is sent, ms. */
const SAVE_EVERY_MS = 1_000;

export class ReplayRun {
  readonly #claimed: Claimed;
  readonly #control: Control;
  readonly #deps: RunDeps;
  readonly #turns: SessionTurns;
  readonly #parcels: Parcels;
  readonly #progress: RunProgress;
  readonly #kept: KeptSignals;
  #refusedInARow = 0;
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(claimed: Claimed, control: Control, deps: RunDeps) {
    const { spec, progress } = claimed.session;
    this.#claimed = claimed;
    this.#control = control;
    this.#deps = deps;
    this.#parcels = createParcels(spec);
    this.#progress = new RunProgress(progress);
    this.#kept = new KeptSignals(claimed, deps);
    this.#turns = createSessionTurns({
      control,
      progress: this.#progress,
      idleMs: deps.idleMs,
      pause: () => this.#pause(),
      goOn: () => this.#save(),
    });
  }

  get progress(): ReplayProgress {
    return this.#progress.all;
  }

  async toEnd(): Promise<void> {
    if (this.#claimed.isIdle) throw new SessionIdle(this.#deps.idleMs);
    const plan = await this.#plan();
    const read = await this.#ask(() => this.#deps.prepare(this.#control.signal));
    const { spec, createdAt: plannedAt } = this.#claimed.session;
    const listener = createSignalListener(sessionSubscribers([spec.subscription], this.#deps.catalog));
    const prepare = storedSegments({ ...read, settings: { ...this.#deps.settings, listener } }, spec);
    for await (const message of messagesOf(plan, { prepare, plannedAt, throttle: this.#deps.throttle })) {
      for (const step of stepsIn(message)) {
        this.#checkSignal();
        await this.#take(step);
      }
    }
    for (const parcel of this.#parcels.finish()) await this.#bring(parcel);
  }

  /** Resolves when callers can look at the last signals of the run. */
  keepRest(): Promise<void> {
    return this.#kept.write();
  }

  async #plan(): Promise<readonly Segment[]> {
    const { plan, spec } = this.#claimed.session;
    if (plan !== undefined) return plan;
    const made = await this.#ask(() => this.#deps.makePlan(spec, this.#control.signal));
    await this.#write(() => this.#deps.store.plan(this.#claimed, made));
    return made;
  }

  async #take(step: ReachedStep): Promise<void> {
    const { detectedAt, recordedAt, signals, begins } = step;
    const [first] = signals;
    if (begins && first !== undefined) {
      // Due parcels go first, at their own time: the clock that begins now belongs to the coming signals.
      for (const parcel of this.#parcels.due(first.timestamp)) await this.#bring(parcel);
      this.#turns.restart();
    }
    if (detectedAt !== null) {
      await this.#turns.beforeStep();
      this.#progress.stepped();
    }
    const reached = detectedAt === null ? signals.map(({ timestamp }) => timestamp) : [detectedAt];
    for (const at of reached) this.#turns.reach({ at, recordedAt });
    this.#progress.reached(step);
    for (const each of signals) for (const parcel of this.#parcels.add(each)) await this.#bring(parcel);
    if (performance.now() - this.#savedAt > SAVE_EVERY_MS) await this.#save();
  }

  async #pause(): Promise<void> {
    const { store, idleMs } = this.#deps;
    await this.#kept.write();
    await this.#write(() => store.pause(this.#claimed, this.progress, idleMs));
  }

  async #bring(parcel: ReplayParcel): Promise<void> {
    const count = parcel.signals.length;
    if (this.#progress.skips(count)) return;
    await this.#turns.beforeDelivery(parcel.at);
    await this.#deps.throttle();
    if (this.#claimed.session.spec.subscription.webhookUrl === "") {
      this.#progress.made(count);
      this.#keep(parcel, null);
      return;
    }
    const isTaken = await this.#deliver(parcel);
    this.#refusedInARow = isTaken ? 0 : this.#refusedInARow + 1;
    this.#progress.delivered(count, isTaken);
    this.#keep(parcel, isTaken ? "delivered" : "failed");
    await this.#save();
    if (this.#refusedInARow < this.#deps.stopAfter) return;
    const { lastError } = this.progress;
    throw new SessionFailed(`the receiver took none of the last ${this.#refusedInARow} deliveries: ${lastError}`);
  }

  #keep({ signals }: ReplayParcel, result: DoneSignal["result"]): void {
    const { signals: last, lastError } = this.progress;
    const first = last - signals.length + 1;
    const done = { at: Date.now(), result, error: result === "failed" ? lastError : null };
    for (const [i, raised] of signals.entries()) this.#kept.add({ ...done, number: first + i, raised });
  }

  #deliver(parcel: ReplayParcel): Promise<boolean> {
    const { store, send, catalog, retries } = this.#deps;
    return deliverParcel(parcel, {
      send,
      catalog,
      retries,
      subscription: this.#claimed.session.spec.subscription,
      signal: this.#control.signal,
      stillOurs: () => this.#write(async () => (await store.renew(this.#claimed)) !== undefined),
      onAttempt: (outcome) => replayAttempts.inc({ outcome }),
      onError: (error) => this.#progress.failed(error),
    });
  }

  async #save(): Promise<void> {
    this.#savedAt = performance.now();
    await this.#write(() => this.#deps.store.save(this.#claimed, this.progress));
  }

  /** `write` resolves with false when another process has the session. */
  async #write(write: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#control;
    const isOurs = await whileAway(write, { log: this.#deps.log, signal, mostMs: FOR_EVER });
    if (!isOurs) throw new SessionLost("not ours");
  }

  #ask<T>(ask: () => Promise<T>): Promise<T> {
    return whileAway(ask, { log: this.#deps.log, signal: this.#control.signal });
  }

  #checkSignal(): void {
    if (this.#control.signal.aborted) throw new SessionLost("stopped");
  }
}
