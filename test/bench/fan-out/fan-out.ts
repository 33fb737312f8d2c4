// 10 000 subscribers over graphql-transport-ws of ten kinds, each kind with its own selection and camera: ours from
// the log to the sockets, against mercurius' own subscriptions, which get the detections as objects.
import { prepareSystem } from "../../support/running/launch-system.ts";
import { startService } from "../../support/running/processes.ts";
import { parameter } from "../config.ts";
import { type Comparison, compare } from "../measure.ts";
import type { BenchStack } from "../stack.ts";
import { createLogSender, type Send } from "./detections.ts";
import { startBareSide, subscriberMemory } from "./memory.ts";
import { type Clients, delivered, startClients, whenReached } from "./sides.ts";
import { besideSlow } from "./slow.ts";

const ROUNDS = 5;
/** All subscribers have the same token, which may take the whole budget of the instance. */
const ENV = { API_SUBSCRIPTION_BYTES_PER_TOKEN: "33554432", API_SUBSCRIPTION_CONNECTIONS: "20000" };

export async function benchFanOut(stack: BenchStack): Promise<Comparison[]> {
  const subscribers = parameter("BENCH_FAN_OUT_SUBSCRIBERS", 10_000);
  const detections = parameter("BENCH_FAN_OUT_DETECTIONS", 200);
  const system = await prepareSystem(stack.env, `bench_fan_out_${Date.now()}`);
  const recorder = await createLogSender(system);
  try {
    const { send } = recorder;
    const memory = await subscriberMemory({ system, env: ENV, send, subscribers });
    const api = await startService("api", { ...system.env, ...ENV });
    const bare = await startBareSide();
    const started: Clients[] = [];
    try {
      const init = { "x-token-id": system.token.id, "x-token-value": system.token.value };
      const side = async (port: number, through: Send) => {
        const clients = await startClients({ port, count: subscribers, connections: subscribers, init });
        started.push(clients);
        await whenReached(clients, through, subscribers);
        return { clients, round: () => delivered(clients, through, detections, subscribers) };
      };
      const baseline = await side(bare.port, bare.send);
      const ours = await side(Number(new URL(system.url).port), send);
      const name = `fan-out, ${subscribers} subscribers`;
      const contest = { name, unit: "deliveries/s", goal: ">= 10", rounds: ROUNDS };
      const rate = await compare({ ...contest, ours: ours.round, baseline: baseline.round });
      const beside = await besideSlow({ api, clients: ours.clients, send, subscribers, detections });
      return [rate, beside, ...memory];
    } finally {
      for (const clients of started) clients.stop();
      bare.child.disconnect();
      await api.stop();
    }
  } finally {
    await recorder.stop();
  }
}
