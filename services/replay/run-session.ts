// Runs one session from where it has come to, until its end.
import type { Catalog } from "../../projections/catalog/catalog.ts";
import type { RetrySettings } from "../../projections/deliveries/outcome.ts";
import type { LiveSettings } from "../../projections/live/partition.ts";
import { createPace } from "../../projections/replay/pace.ts";
import { createParcels, type Parcel } from "../../projections/replay/parcels.ts";
import type { ReplayProgress, Segment } from "../../projections/replay/session.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { Log } from "../common/log.ts";
import { pause } from "../common/loop.ts";
import type { Control } from "./control.ts";
import { deliver } from "./deliver.ts";
import { SessionFailed, SessionLost } from "./failed.ts";
import { listening } from "./listening.ts";
import type { ReadDeps } from "./read-segment.ts";
import type { Send } from "./send.ts";
import { type Reached, stepsOf } from "./steps.ts";
import type { Claimed, Ended, ReplayStore } from "./store.ts";
import { whileAway } from "./while-away.ts";

export interface RunDeps {
  readonly store: ReplayStore;
  readonly makePlan: (trackIds: readonly string[], signal: AbortSignal) => Promise<Segment[]>;
  readonly prepare: (signal: AbortSignal) => Promise<Omit<ReadDeps, "settings">>;
  readonly settings: Omit<LiveSettings, "subscriptions">;
  /** Resolves when the process may do more. */
  readonly leaveRoom: () => Promise<void>;
  readonly catalog: Catalog;
  readonly send: Send;
  readonly retries: RetrySettings;
  /** So many parcels in a row that were given up end the session. */
  readonly stopAfter: number;
  /** A manual session that nobody steps for so long ends. */
  readonly idleMs: number;
  readonly log: Log;
}

/** A position is written at least this often while nothing is sent. */
const SAVE_EVERY_MS = 1_000;

/** Resolves when the session has ended, and when it is not ours any more. */
export async function runSession(claimed: Claimed, control: Control, deps: RunDeps): Promise<void> {
  const { store, log } = deps;
  const { claim, signal } = control;
  const run = createRun(claimed, control, deps);
  let ended: Ended;
  try {
    await run.toItsEnd();
    ended = { state: "finished", progress: { ...run.progress(), share: 1 } };
  } catch (thrown) {
    // What the signal breaks off fails in many ways.
    const error = signal.aborted ? signal.reason : thrown;
    if (claim.aborted || error instanceof SessionLost) return;
    const isExpected = error instanceof SessionFailed;
    if (!isExpected) log.error({ err: error, session: claimed.id }, "replay session failed");
    const reason = isExpected ? messageOf(error) : "the service made a mistake; its log has the cause";
    ended = { state: "failed", reason, progress: run.progress() };
  }
  await whileAway(() => store.end(claimed, ended), { log, signal: claim }).catch((error) => {
    if (!claim.aborted) throw error;
  });
}

function createRun(claimed: Claimed, control: Control, deps: RunDeps) {
  const { store, catalog, log, settings } = deps;
  const { spec, progress: before } = claimed.session;
  const { signal } = control;
  const away = { log, signal };
  const pace = createPace(spec.mode === "auto" ? spec.speed : null);
  const parcels = createParcels(spec);
  const errors = { count: before.errors, last: before.lastError };
  let done = { signals: 0, sent: before.sent, deliveries: before.deliveries, steps: 0 };
  let place: Pick<ReplayProgress, "share" | "position"> = { share: before.share, position: before.position };
  let refusedInARow = 0;
  let savedAt = Number.NEGATIVE_INFINITY;

  const progress = (): ReplayProgress => ({
    ...done,
    // Until the run has come to where the one before was, that one's position holds.
    signals: Math.max(done.signals, before.signals),
    steps: Math.max(done.steps, before.steps),
    ...{ errors: errors.count, lastError: errors.last },
    ...place,
  });

  async function ifOurs(write: () => Promise<boolean>): Promise<void> {
    if (!(await whileAway(write, away))) throw new SessionLost("not ours");
  }

  async function save(): Promise<void> {
    savedAt = performance.now();
    await ifOurs(() => store.save(claimed, progress()));
  }

  const stillOurs = () => ifOurs(async () => (await store.renew(claimed)) !== undefined);

  async function planned(): Promise<readonly Segment[]> {
    const { plan } = claimed.session;
    if (plan !== undefined) return plan;
    const made = await whileAway(() => deps.makePlan(spec.trackIds, signal), away);
    await ifOurs(() => store.plan(claimed, made));
    return made;
  }

  /** Waits until somebody asks for the next step. */
  async function awaitStep(): Promise<void> {
    if (spec.mode === "auto" || done.steps < control.granted()) return;
    await ifOurs(() => store.pause(claimed, progress(), deps.idleMs));
    const idleSince = performance.now();
    while (done.steps >= control.granted()) {
      const leftMs = deps.idleMs - (performance.now() - idleSince);
      if (leftMs <= 0) throw idle();
      await control.changed(leftMs);
      if (signal.aborted) throw new SessionLost("stopped");
    }
    await save();
  }

  async function take(step: Reached): Promise<void> {
    const [first] = step.signals;
    if (step.begins && first !== undefined) {
      // At its own time: the clock that begins now is of the signals that come.
      for (const parcel of parcels.due(first.timestamp)) await bring(parcel);
      pace.restart();
    }
    if (step.detectedAt !== null) {
      await awaitStep();
      done = { ...done, steps: done.steps + 1 };
    }
    const reached = step.detectedAt === null ? step.signals.map(({ timestamp }) => timestamp) : [step.detectedAt];
    for (const at of reached) pace.reach({ at, recordedAt: step.recordedAt });
    const timestamp = step.signals.at(-1)?.timestamp ?? place.position?.timestamp ?? null;
    if (done.steps >= before.steps) {
      place = { share: step.share, position: { partition: step.partition, offset: step.offset, timestamp } };
    }
    for (const each of step.signals) for (const parcel of parcels.add(each)) await bring(parcel);
    if (performance.now() - savedAt > SAVE_EVERY_MS) await save();
  }

  async function bring(parcel: Parcel): Promise<void> {
    const count = parcel.signals.length;
    if (done.signals < before.signals) {
      done = { ...done, signals: done.signals + count };
      return;
    }
    await awaitTime(parcel);
    await deps.leaveRoom();
    const { subscription } = spec;
    const isTaken = await deliver(parcel, { ...deps, subscription, signal, stillOurs, onError });
    refusedInARow = isTaken ? 0 : refusedInARow + 1;
    done = {
      ...done,
      signals: done.signals + count,
      sent: done.sent + (isTaken ? count : 0),
      deliveries: done.deliveries + (isTaken ? 1 : 0),
    };
    await save();
    if (refusedInARow < deps.stopAfter) return;
    throw new SessionFailed(`the receiver took none of the last ${refusedInARow} deliveries: ${errors.last}`);
  }

  async function awaitTime({ at }: Parcel): Promise<void> {
    for (;;) {
      const leftMs = pace.wait(at, performance.now());
      if (leftMs <= 0) return;
      await pause(Math.min(leftMs, MAX_PAUSE_MS), signal);
      if (signal.aborted) throw new SessionLost("stopped");
    }
  }

  const idle = () => new SessionFailed(`nobody asked for a step for ${deps.idleMs / 1_000} s`);

  function onError(error: string): void {
    errors.count += 1;
    errors.last = error;
  }

  return {
    progress,
    async toItsEnd(): Promise<void> {
      if (claimed.isIdle) throw idle();
      const plan = await planned();
      const read = await whileAway(() => deps.prepare(signal), away);
      const subscriptions = listening(spec.subscription, catalog);
      for await (const step of stepsOf(plan, { ...read, settings: { ...settings, subscriptions } })) {
        if (signal.aborted) throw new SessionLost("stopped");
        await take(step);
      }
      for (const parcel of parcels.finish()) await bring(parcel);
    },
  };
}

/** A longer timer would fire at once. */
const MAX_PAUSE_MS = 2 ** 31 - 1;
