// Finds the position and the state with which an owner continues in each partition: the state in Redis, or one that is
// rebuilt from the log.
import { createPartition, type PartitionState } from "../../../projections/live/partition.ts";
import { putZones } from "../../../projections/live/zones-at.ts";
import type { Cause, ZoneVersion } from "../../../schemas/events.ts";
import { type PerAligned, perAligned } from "../../../schemas/outputs.ts";
import type { OffsetRange } from "../../common/kafka/offsets.ts";
import type { Log } from "../../common/log.ts";
import type { LostEnd } from "../store/live-store.ts";
import type { Owner } from "../store/partition-claims.ts";
import { newestCause } from "./last-outputs.ts";
import type { PublishedOutputs } from "./published-outputs.ts";
import { rebuildStart, type Traces } from "./rebuild-start.ts";
import type { TakenOver, TakeOverDeps, TakeOverFindings } from "./taken-over.ts";
import type { ZoneVersions } from "./zone-versions.ts";

/** Zones are read once for all partitions that are rebuilt. */
export async function startPartitions(
  deps: TakeOverDeps,
  owner: Owner,
  partitions: readonly number[],
  found: TakeOverFindings,
  zoneVersions: ZoneVersions,
): Promise<TakenOver[]> {
  const newestZones = await zoneVersions.newest(found.logRanges);
  const starts = await Promise.all(
    partitions.map((partition) => startOne(deps, partition, found, newestZones.get(partition))),
  );
  const rebuilt = starts.filter(({ state }) => state === undefined);
  const zones = await zoneVersions.at(rebuilt.map(({ tail: high, ...start }) => ({ ...start, high })));
  return starts.map((start) => {
    const { partition, begin, stored } = start;
    const state = start.state ?? rebuiltState(partition, begin, zones.get(partition) ?? [], deps);
    clampGeofences(state, found.catalogEnd, deps.log);
    state.signalsFrom = signalsFrom(stored, found.committed.get(partition), start.tail);
    return { ...start, owner, state, rebuilding: start.state === undefined };
  });
}

/** The state is undefined when it must be rebuilt. */
type Started = Omit<TakenOver, "owner" | "state" | "rebuilding"> & { readonly state: PartitionState | undefined };

async function startOne(
  deps: TakeOverDeps,
  partition: number,
  found: TakeOverFindings,
  newestZone: number | undefined,
): Promise<Started> {
  const range = rangeOf(found.logRanges, partition);
  if (range === undefined) throw new Error(`no partition ${partition} in ${deps.topics.cameraLog}`);
  const ends = perAligned((topic) => rangeOf(found.outRanges[topic], partition)?.high ?? 0);
  const { newest, lostEnd } = await writtenUpTo(deps, range, ends, found);
  const zones = newestZone === undefined ? {} : { zones: { partition, offset: newestZone, index: 0 } };
  return {
    ...(await beginningOf(deps, range, {
      recent: found.recent.get(partition),
      cause: newestOffset(Object.values(newest)),
      committed: found.committed.get(partition),
    })),
    partition,
    ends,
    tail: range.high,
    written: { logId: found.logId, lostEnd, newest: { ...newest, ...zones } },
    isBeingFilled: found.isBeingFilled,
  };
}

const rangeOf = (ranges: readonly OffsetRange[], wanted: number): OffsetRange | undefined =>
  ranges.find(({ partition }) => partition === wanted);

/**
 * Finds the newest valid outputs. A log that lost its end assigns the same offsets again, so outputs of lost messages
 * must not count as outputs of the new ones.
 */
async function writtenUpTo(
  { store, log }: TakeOverDeps,
  { partition, high }: OffsetRange,
  outputsEnds: PerAligned<number>,
  { outputs, logId }: TakeOverFindings,
): Promise<Pick<PublishedOutputs, "newest" | "lostEnd">> {
  const newestGiven = (lost: LostEnd | undefined) =>
    perAligned((topic) => {
      const own = outputs[topic].filter((output) => output.partition === partition);
      return newestCause(own, logId, lost && { logEnd: lost.logEnd, outputsEnd: lost.outputsEnds[topic] });
    });
  const { lostEnd } = await store.position(partition);
  const newest = newestGiven(lostEnd);
  const beyond = Object.values(newest).find((cause) => cause !== undefined && cause.offset >= high);
  if (beyond === undefined) return { newest: present(newest), lostEnd: lostEnd && nameOf(lostEnd) };
  log.warn({ partition, logEnd: high, cause: beyond.offset }, "the log has lost its end, its outputs are void");
  const foundNow = { logEnd: high, outputsEnds };
  await store.recordLostEnd(partition, foundNow);
  return { newest: present(newestGiven(foundNow)), lostEnd: nameOf(foundNow) };
}

const nameOf = ({ logEnd, outputsEnds }: LostEnd): string => [logEnd, ...Object.values(outputsEnds)].join("-");

const present = (newest: PerAligned<Cause | undefined>): PublishedOutputs["newest"] =>
  Object.fromEntries(Object.entries(newest).filter(([, cause]) => cause !== undefined));

const newestOffset = (causes: readonly Cause[]): number | undefined =>
  causes.length === 0 ? undefined : Math.max(...causes.map(({ offset }) => offset));

async function beginningOf(
  { store, log, settings }: TakeOverDeps,
  range: OffsetRange,
  traces: Omit<Traces, "stored">,
): Promise<Pick<Started, "state" | "begin" | "stored">> {
  const { partition, low } = range;
  const stored = await store.load(partition, settings.listener);
  if (stored?.state !== undefined && stored.next >= low) {
    return { state: stored.state, begin: stored.next, stored: stored.next };
  }
  if (stored !== undefined && stored.state === undefined) {
    log.warn({ partition, stored: stored.next }, "redis lost a part of live state");
  }
  const { begin, missed } = rebuildStart(range, { ...traces, stored: stored?.next });
  log.info({ partition, from: begin }, "rebuilding from the log");
  if (missed !== undefined) {
    log.warn({ partition, ...missed }, "retention removed messages that were never processed");
    await store.recordMissed(partition, missed);
  }
  return { state: undefined, begin, stored: stored?.next };
}

function rebuiltState(
  partition: number,
  begin: number,
  zones: readonly ZoneVersion[],
  { settings }: TakeOverDeps,
): PartitionState {
  const state = createPartition(partition);
  putZones(state, zones, settings);
  // It is unknown which changes the log named before `begin`. The fold replaces NaN by the newest change that the
  // catalog had at the time of the first message.
  if (begin > 0) state.geofencesUpTo = Number.NaN;
  return state;
}

/**
 * A catalog that lost its end assigns the same offsets again. The fold must not take its new changes for those it has
 * applied.
 */
function clampGeofences(state: PartitionState, catalogEnd: number, log: Log): void {
  if (!(state.geofencesUpTo >= catalogEnd)) return;
  log.warn({ partition: state.partition, geofences: state.geofencesUpTo, catalogEnd }, "the catalog has lost its end");
  state.geofencesUpTo = catalogEnd - 1;
}

/**
 * Returns the offset from which on a rebuild raises signals. Signals are in their topic before the position of their
 * message is saved, and the position is saved before it is committed. So the signals of messages before either position
 * were raised.
 */
function signalsFrom(stored: number | undefined, committed: number | undefined, high: number): number {
  // A position beyond the end belongs to another log.
  const known = [stored, committed].filter((offset) => offset !== undefined && offset <= high) as number[];
  return Math.max(0, ...known);
}
