// The rate of processes, and the processor time that they take for a detection.
import { metricsOf, type ServiceProcess, until } from "../../support/running/processes.ts";
import { processorSeconds } from "../../support/running/processor-time.ts";
import type { Ends } from "../decode-log.ts";

export interface Rate {
  readonly detectionsPerSecond: number;
  /** Processor time of the processes under test for a detection. */
  readonly us: number;
  /** The same of each store. */
  readonly stores: Readonly<Record<string, number>>;
}

interface Processes {
  readonly services: readonly Pick<ServiceProcess, "pid">[];
  readonly stores: Readonly<Record<string, number>>;
}

/** Takes the processor times of the processes now. The function that it resolves with takes them again. */
export async function startWindow({ services, stores }: Processes) {
  const times = async () => ({
    at: performance.now(),
    services: await Promise.all(services.map(({ pid }) => processorSeconds(pid))),
    stores: await Promise.all(Object.values(stores).map(processorSeconds)),
  });
  const before = await times();
  return async (detections: number): Promise<Rate> => {
    const after = await times();
    const us = (from: readonly number[], to: readonly number[]): number[] =>
      to.map((seconds, i) => (1e6 * (seconds - (from[i] ?? 0))) / detections);
    const ofStores = us(before.stores, after.stores);
    return {
      detectionsPerSecond: detections / ((after.at - before.at) / 1_000),
      us: us(before.services, after.services).reduce((sum, each) => sum + each, 0),
      stores: Object.fromEntries(Object.keys(stores).map((name, i) => [name, ofStores[i] ?? 0])),
    };
  };
}

/** Resolves with the offset to read next, by partition. */
export type Positions = () => Promise<ReadonlyMap<number, number>>;

const WAIT = { timeoutMs: 900_000, pauseMs: 50 };

export const untilPast = (positions: Positions, ends: Ends): Promise<unknown> =>
  until(async () => {
    const found = await positions();
    return [...ends].every(([partition, end]) => (found.get(partition) ?? 0) >= end);
  }, WAIT);

/** Resolves when each process has partitions of the topic, and none has those of another. */
export const untilShared = (services: readonly ServiceProcess[], topic: string): Promise<unknown> =>
  until(async () => {
    const partitions = await Promise.all(services.map((each) => partitionsOf(each, topic)));
    return partitions.every((own) => own.length > 0) && new Set(partitions.flat()).size === partitions.flat().length;
  }, WAIT);

async function partitionsOf(service: ServiceProcess, topic: string): Promise<string[]> {
  const lags = (await metricsOf(service)).matchAll(
    /^tracklog_reader_lag_messages\{.*topic="([^"]*)",partition="(\d+)"/gm,
  );
  return Array.from(lags).flatMap(([, name, partition]) => (name === topic && partition ? [partition] : []));
}
