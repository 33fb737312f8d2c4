// A producer that writes in transactions: the log holds marks that no reader gets, and no reader may get messages of an
// aborted transaction.
import { randomUUID } from "node:crypto";
import { topicName } from "../../../schemas/topics.ts";
import type { Random } from "../../../services/cli/demo/scene/random.ts";
import type { Inspector } from "../../support/clients/final-state-inspector.ts";
import type { World } from "../../support/oracles/survive.ts";
import type { StageCamera } from "../../support/scenes/play-scene.ts";
import { type Reported, toMessage } from "../../support/scenes/produce.ts";

const EVERY_MUTATIONS = 200;
const POLL_MS = 200;
/** A transaction that its producer left open holds readers up until the broker ends it. */
const TRANSACTION_TIMEOUT_MS = 3_000;

/** Goes on until it is stopped; the stop resolves with the number of transactions that the producer ended. */
export function sendTransactions({ load }: World, inspector: Inspector, random: Random) {
  const topic = topicName(inspector.namespace, "camera-log");
  let running = true;
  let ended = 0;

  async function transact(): Promise<void> {
    const camera = load.stage[random.below(load.stage.length)];
    if (camera === undefined) return;
    const keep = random.chance(0.5);
    const producer = inspector.kafka.producer({
      transactionalId: `chaos-${randomUUID()}`,
      ...{ idempotent: true, maxInFlightRequests: 1, transactionTimeout: TRANSACTION_TIMEOUT_MS },
    });
    try {
      await producer.connect();
      const transaction = await producer.transaction();
      const reported = keep ? knownBy(camera) : unheardOf(camera);
      await transaction.send({ topic, acks: -1, messages: [toMessage(inspector, reported)] });
      await (keep ? transaction.commit() : transaction.abort());
      ended++;
    } catch {
      // The broker may be away; later it ends the transaction by itself.
    } finally {
      await producer.disconnect();
    }
  }

  async function work(): Promise<void> {
    for (let next = EVERY_MUTATIONS; running; ) {
      if (load.counts().accepted >= next) {
        next += EVERY_MUTATIONS;
        await transact();
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  const working = work();
  working.catch(() => undefined);
  return {
    async stop(): Promise<number> {
      running = false;
      await working;
      return ended;
    },
  };
}

/** The first detection of the camera's first track, once more: it changes nothing. */
function knownBy({ camera, dataSourceId }: StageCamera): Reported {
  const [first] = camera.deliveries;
  if (first?.type !== "trackStarted") throw new Error("a camera begins with a track");
  return detectionOf(dataSourceId, first.trackId, first.startTime, first.detections[0]?.box ?? [0, 0, 1, 1]);
}

/** A detection of a track that does not exist. */
const unheardOf = ({ camera, dataSourceId }: StageCamera): Reported =>
  detectionOf(dataSourceId, randomUUID(), camera.detections[0]?.timestamp ?? 0, [0, 0, camera.width, camera.height]);

function detectionOf(
  dataSourceId: string,
  trackId: string,
  timestamp: number,
  [left, top, right, bottom]: readonly [number, number, number, number],
): Reported {
  const rings = [[left, top, right, top, right, bottom, left, bottom, left, top]];
  const polygon = { rings, crs: null };
  const detection = { trackId, timestamp, polygon, position: null, direction: null, metadata: null };
  return { key: dataSourceId, type: "DetectionsRecorded", event: { dataSourceId, detections: [detection] } };
}
