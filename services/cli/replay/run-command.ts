// Runs a command: opens its source and its sinks, folds, and reports.
import { randomUUID } from "node:crypto";
import { isoTime } from "../../../schemas/identity.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import type { LineOutput } from "../dead-letters/list.ts";
import { printable } from "../dead-letters/text.ts";
import type { ReplayCommand } from "./command.ts";
import { type FileComparison, openFileComparison } from "./compare-file.ts";
import { compareRecorded, type RecordedComparison } from "./compare-recorded.ts";
import type { FileReplayConfig } from "./config.ts";
import { isEqual } from "./differences.ts";
import { type FoldSourceOptions, foldSource } from "./fold-source.ts";
import { createReplayProgress, wholeText } from "./progress.ts";
import { createReceiver, type ReceiverSink } from "./receiver.ts";
import type { RecordedSignals } from "./recorded-signals.ts";
import { differenceLines, runLines } from "./report.ts";
import { openSignalFile } from "./signal-file.ts";
import { signalLine } from "./signal-line.ts";
import { askedSubscription } from "./signals.ts";
import type { SignalSink } from "./sink.ts";
import type { ReplaySource } from "./source.ts";

export interface RunCommandDeps extends LineOutput {
  readonly config: FileReplayConfig;
  readonly signal: AbortSignal;
  readonly progressStream: NodeJS.WriteStream;
}

/** Resolves with false when a comparison has found differences. */
export async function runReplayCommand(
  command: ReplayCommand,
  source: ReplaySource,
  deps: RunCommandDeps,
): Promise<boolean> {
  const opened: SignalSink[] = [];
  const add = <T extends SignalSink>(sink: T): T => {
    opened.push(sink);
    return sink;
  };
  try {
    const then = await openThen(command, source);
    const lineOf = (raised: SignalRaised) => signalLine(raised, then === undefined ? undefined : raised.subscriptionId);
    const { comparison, receiver, out } = command;
    const recorded = then && add(compareRecorded(source.plan, then));
    const file = comparison?.with === "file" ? add(await openFileComparison(comparison.path, lineOf)) : undefined;
    const subscriptions = then?.subscriptions ?? askedSubscriptions(command);
    const received = receiver && add(createReceiver({ ...deps, receiver, subscriptions, catalog: source.catalog }));
    // The file is complete before its name is: it comes last.
    if (out !== undefined) add(await openSignalFile({ ...out, lineOf }));
    await fold(source, { subscriptions, sinks: opened, signal: deps.signal, ...watching(recorded) }, deps);
    if (received !== undefined) reportReceived(received, deps);
    if (then !== undefined && recorded !== undefined) reportKept(then, recorded, source, deps);
    return reportDifferences(file ?? recorded, deps);
  } catch (error) {
    for (const sink of opened) await sink.abandon();
    throw error;
  }
}

async function openThen({ comparison }: ReplayCommand, { openSignals }: ReplaySource) {
  if (comparison?.with !== "then") return undefined;
  if (openSignals === undefined) throw new Error("This source has no signals of then: --compare takes a file here.");
  return openSignals(comparison.subscriptionIds);
}

/** Every run has ids of its own: a receiver must not take the signals for repetitions of an earlier run. */
function askedSubscriptions({ signals, receiver }: ReplayCommand) {
  const version = randomUUID();
  return signals.map((shape) => askedSubscription(shape, version, receiver?.url ?? ""));
}

const watching = (recorded: RecordedComparison | undefined): Pick<FoldSourceOptions, "watch" | "passing"> =>
  recorded === undefined ? {} : { watch: recorded.watch, passing: recorded.passing };

async function fold(
  source: ReplaySource,
  options: Omit<FoldSourceOptions, "progress">,
  { print, progressStream }: RunCommandDeps,
): Promise<void> {
  const progress = createReplayProgress(progressStream);
  const begunAt = performance.now();
  try {
    const counts = await foldSource(source, { ...options, progress });
    progress.stop();
    const seconds = (performance.now() - begunAt) / 1_000;
    for (const line of runLines({ messages: progress.messages(), seconds, counts })) print(line);
  } finally {
    progress.stop();
  }
}

function reportReceived({ delivered, givenUp }: ReceiverSink, { print }: RunCommandDeps): void {
  print(`delivered ${wholeText(delivered())}${givenUp() === 0 ? "" : `, given up ${wholeText(givenUp())}`}`);
}

/** Says what could not be compared. Throws when nothing could. */
function reportKept(
  { subscriptions, keptSince }: RecordedSignals,
  { differences, notKept, before }: RecordedComparison,
  { plan }: ReplaySource,
  { print }: RunCommandDeps,
): void {
  const since = subscriptions.map(({ key }) => keptSince(key)).filter(Number.isFinite);
  const kept = since.length === 0 ? "none" : `those since ${isoTime(Math.max(...since))}`;
  const { same, changed, missing } = differences.counts;
  if (notKept() > 0) {
    if (same + changed + missing === 0) throw new Error(`Kafka no longer has the signals of then: it has ${kept}.`);
    print(`not kept  ${wholeText(notKept())} signals have nothing to compare with: Kafka has ${kept}`);
  }
  if (before() > 0) print(`before    ${wholeText(before())} signals are of messages older than their subscription`);
  const beginAt = Math.min(...plan.map((segment) => segment.beginAt));
  for (const { key, createdAt, updatedAt, stopped } of subscriptions) {
    const name = printable(key);
    if (updatedAt > createdAt && updatedAt > beginAt) print(`note      ${name} was set again at ${isoTime(updatedAt)}`);
    if (stopped !== undefined) print(`note      ${name} is stopped since ${isoTime(stopped.at)}`);
  }
}

function reportDifferences(
  comparison: FileComparison | RecordedComparison | undefined,
  { print }: RunCommandDeps,
): boolean {
  if (comparison === undefined) return true;
  for (const line of differenceLines(comparison.differences)) print(line);
  return isEqual(comparison.differences);
}
