// Subscribers that stop reading, beside others: the others must receive everything at the same rate, and the API closes
// those that do not read.

import { metricsOf, type ServiceProcess, until } from "../../support/running/processes.ts";
import { watchResident } from "../../support/running/resident.ts";
import { type Comparison, format, median } from "../measure.ts";
import type { Send } from "./detections.ts";
import { type Clients, delivered } from "./sides.ts";

export interface SlowScene {
  readonly api: ServiceProcess;
  readonly clients: Clients;
  readonly send: Send;
  readonly subscribers: number;
  readonly detections: number;
}

const ROUNDS = 5;
/** One of so many stops reading. */
const SLOW_OF = 100;

/** The baseline is the rate before they stop. */
export async function besideSlow({ api, clients, send, subscribers, detections }: SlowScene): Promise<Comparison> {
  const rates = async (readers: number) => {
    const found: number[] = [];
    for (let round = 0; round < ROUNDS; round++) found.push(await delivered(clients, send, detections, readers));
    return median(found);
  };
  const baseline = await rates(subscribers);
  const slow = subscribers / SLOW_OF;
  const watched = watchResident(api.pid);
  await clients.ask({ stall: slow });
  const stalledAt = performance.now();
  const ours = await rates(subscribers - slow);
  const left = await openSubscriptions(api);
  await until(async () => (await openSubscriptions(api)) === subscribers - slow);
  const seconds = (performance.now() - stalledAt) / 1_000;
  const most = await watched.stop();
  process.stderr.write(
    `  ${slow} subscribers stopped reading: ${subscribers - left} had ended after the rounds, the last one after ` +
      `${format(seconds)} s; at most ${format(most)} MiB resident\n`,
  );
  const name = `fan-out beside ${slow} that do not read`;
  return { name, unit: "deliveries/s", goal: ">= 0.9", ours, baseline, ratio: ours / baseline };
}

const OPEN = /^tracklog_subscribers\S* (\d+)/m;

const openSubscriptions = async (api: ServiceProcess): Promise<number> => Number(OPEN.exec(await metricsOf(api))?.[1]);
