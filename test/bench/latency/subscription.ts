import { WebSocket } from "ws";
import type { System } from "../../support/running/launch-system.ts";
import { until } from "../../support/running/processes.ts";
import { createCameras, sendFrame } from "../camera-load.ts";

export interface ObservedSubscription {
  acknowledged(detectionId: string, at: number): void;
  /** Resolves when every acknowledged detection has arrived. */
  done(): Promise<void>;
}

const ID = /"id":"([0-9a-f-]{36})"/;

/** Resolves when detections arrive. `onSeen` gets 0 for a detection that arrives before the sender's answer. */
export async function observeSubscription(system: System, onSeen: (ms: number) => void): Promise<ObservedSubscription> {
  const received = new Set<string>();
  const waiting = new Map<string, number>();
  let messages = 0;
  const socket = new WebSocket(system.url.replace(/^http/, "ws"), "graphql-transport-ws");
  const send = (message: object) => socket.send(JSON.stringify(message));
  socket.on("open", () => {
    const { id, value } = system.token;
    send({ type: "connection_init", payload: { "x-token-id": id, "x-token-value": value } });
  });
  socket.on("message", (raw: Buffer) => {
    const text = raw.toString();
    if (text.includes('"connection_ack"')) {
      send({ id: "1", type: "subscribe", payload: { query: "subscription { detectionActivity { id timestamp } }" } });
      return;
    }
    const [, id] = ID.exec(text) ?? [];
    if (id === undefined) return;
    const now = performance.now();
    messages += 1;
    const at = waiting.get(id);
    if (at === undefined) received.add(id);
    else {
      waiting.delete(id);
      onSeen(now - at);
    }
  });
  const [camera] = await createCameras(system.client, 1, 1);
  await until(async () => {
    if (camera !== undefined) await sendFrame(system.client, camera);
    return messages > 0;
  });
  return {
    acknowledged(id, at) {
      if (received.delete(id)) onSeen(0);
      else waiting.set(id, at);
    },
    async done() {
      await until(() => waiting.size === 0);
      socket.close();
    },
  };
}
