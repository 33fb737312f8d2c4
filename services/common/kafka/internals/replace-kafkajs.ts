// Replaces functions inside kafkajs by our own, once for the whole process. README.md lists them.
import { createRequire } from "node:module";
import type { Kafka } from "kafkajs";
import { useOwnOffsets } from "./admin-offsets.ts";
import { useBoundedBatches } from "./bounded-batches.ts";
import { checkKafkajs, loadedTooEarly } from "./check-kafkajs.ts";
import { useFilledBatches } from "./empty-batches.ts";
import { useEndedFetchers } from "./ended-fetchers.ts";
import { useIdleQueues } from "./idle-queues.ts";
import { useLedPartitions } from "./leaderless.ts";
import { useLongFetches } from "./long-fetches.ts";
import { useMovedCoordinators } from "./moved-coordinator.ts";
import { usePacedFetches } from "./paced-fetches.ts";
import { useFetchedOffsets } from "./passed-batches.ts";
import { useQuickEncoders } from "./quick-encoders.ts";
import { useSteadyHeartbeats } from "./steady-heartbeats.ts";

const require = createRequire(import.meta.url);
const KEY = Symbol.for("tracklog.kafkajs-replaced");

/** Throws PermanentError when this version of kafkajs is not the one that tracklog supports. */
export function replaceKafkajs(createClient: () => Kafka): Kafka {
  const marked: { [KEY]?: boolean } = require("kafkajs");
  if (marked[KEY] === true) return createClient();
  const tooEarly = Object.fromEntries(loadedTooEarly().map((path) => [path, false]));
  const replaced = {
    ...tooEarly,
    batches: useBoundedBatches(),
    offsets: useFetchedOffsets(),
    queues: useIdleQueues(),
    encoders: useQuickEncoders(),
    admin: useOwnOffsets(),
  };
  useLedPartitions();
  useSteadyHeartbeats();
  useFilledBatches();
  useLongFetches();
  // Fetchers must find out that their consumer has stopped before they wait for their turn.
  usePacedFetches();
  useEndedFetchers();
  useMovedCoordinators();
  const client = createClient();
  checkKafkajs(client, replaced);
  marked[KEY] = true;
  return client;
}
