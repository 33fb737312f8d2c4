// Waits for the signals of live subscriptions of a whole system.
import { topicName } from "../../../schemas/topics.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import type { Inspector } from "../clients/final-state-inspector.ts";
import type { System } from "../running/launch-system.ts";
import { until } from "../running/processes.ts";
import { createStage, playDelivery } from "../scenes/play-scene.ts";
import type { Tally } from "./signal-tally.ts";

const PATIENTLY = { timeoutMs: 1_800_000, pauseMs: 500 };

/** A subscription hears only of what is folded after the state machine knows it. */
export async function awaitFirstSignal({ client }: System, isReceived: () => boolean): Promise<void> {
  const camera = { name: "early", width: 1, height: 1, zones: [], tracks: [], detections: [], deliveries: [] };
  const [stage] = await createStage(client, { cameras: [camera] });
  for (let n = 0; !isReceived(); n++) {
    const [trackId, timestamp] = [`early-${n}`, Date.now()];
    const detections = [{ trackId, timestamp, box: [0, 0, 1, 1] as const }];
    const begun = { type: "trackStarted", trackId, tag: "early", startTime: timestamp, detections } as const;
    await playDelivery(client, { ...begun, deliverAt: timestamp }, stage?.dataSourceId ?? "");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Until the receivers were told everything that the log has. */
export async function awaitDelivered(
  { kafka, namespace }: Inspector,
  tallies: readonly Tally[],
  print: (text: string) => void,
): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const signals = await offsetRanges(admin, topicName(namespace, "signals"));
    const raised = signals.reduce((sum, { high }) => sum + high, 0);
    const delivered = () => tallies.reduce((sum, { reported }) => sum + reported.length, 0);
    let checks = 0;
    await until(() => {
      if (checks++ % 20 === 0) print(`${delivered()} of ${raised} live signals are delivered`);
      return delivered() === raised;
    }, PATIENTLY);
  } finally {
    await admin.disconnect();
  }
}
