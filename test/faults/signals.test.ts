// kill -9 of the state machine while cameras are at work: its topic of signals must then hold the same signals as a
// fold of the whole log at once raises, each subscription's in order, some of them twice.
import { expect, onTestFinished, test } from "vitest";
import type { Detection } from "../../schemas/events.ts";
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import { createRandom } from "../../services/cli/demo/scene/random.ts";
import { expectedSignals, idsOf, raisedSignals } from "../support/oracles/expected-signals.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { provideInstallation } from "../support/running/installation.ts";
import { startService, until } from "../support/running/processes.ts";
import { useStack } from "../support/running/stack.ts";
import { detection } from "../support/scenes/detection.ts";
import { zone } from "../support/scenes/zone.ts";
import { subscriptionSet } from "../unit/projections/webhooks/subscriptions/subscription.ts";
import { extent } from "./extent.ts";

const CAMERAS = ["north", "south", "east"];
const TRACKS = 6;
const FRAME_MS = 100;

/** Each look reads whole topics. */
const PATIENTLY = { timeoutMs: 60_000, pauseMs: 500 };

const createdAt = Date.now();
const subscriptions = [
  subscriptionSet({ key: "tracks", createdAt }),
  subscriptionSet({ key: "zones", signalType: "zone_state", createdAt }),
  subscriptionSet({
    key: "counts",
    signalType: "zone_state",
    zoneEmitMode: "composition",
    heartbeatSeconds: 1,
    createdAt,
  }),
  subscriptionSet({ key: "batch", mode: "batch", createdAt }),
];

test("kill -9 of the state machine loses no signal, and makes none that folding the log does not raise", async () => {
  const settings = { ...(await quickSettings(useStack().env)), CAMERA_PARTITIONS: "3" };
  const installation = await provideInstallation("signals", settings);
  onTestFinished(() => installation.remove());
  const publisher = await installation.openPublisher();
  const { codec, topic, variables, read } = installation;
  const random = createRandom(31);
  await publisher.publish(
    subscriptions.map(({ type, event }) => ({
      ...{ topic: topic("subscriptions"), key: event.key, value: codec.encode(type, event) },
    })),
  );
  await publisher.publish(
    CAMERAS.map((dataSourceId) => ({
      ...{ topic: topic("camera-log"), key: dataSourceId },
      value: codec.encode("ZoneCreated", { zone: zone({ zoneId: `door-${dataSourceId}`, dataSourceId }) }),
    })),
  );
  let machine = await startService("state-machine", variables);
  onTestFinished(() => machine.kill());
  const load = startLoad();

  for (let kill = 0; kill < extent.kills; kill++) {
    await new Promise((resolve) => setTimeout(resolve, random.between(200, 2_500)));
    await machine.kill();
    machine = await startService("state-machine", variables);
  }
  await load.stop();

  const expected = await until(async () => {
    const events = subscriptions.map(({ event }) => event);
    const signals = expectedSignals(await read("camera-log"), events, codec, { trackTtlMs: TTL_MS });
    if (!areAllOver(signals)) throw new Error("some tracks have not expired yet");
    return signals;
  }, PATIENTLY);
  const raised = await until(async () => {
    const signals = raisedSignals(await read("signals"), codec);
    if (new Set(signals.map(({ id }) => id)).size < expected.length) throw new Error("signals are missing");
    return signals;
  }, PATIENTLY);
  expect(expected.length).toBeGreaterThan(100 * extent.kills);
  expect(idsOf(raised)).toEqual(idsOf(expected));
  const states = new Map(expected.map(({ id, state }) => [id, state]));
  for (const { id, state } of raised) expect(state).toBe(states.get(id));

  /** Each camera reports a frame of its tracks every tenth of a second; every few seconds they are new ones. */
  function startLoad() {
    let frame = 0;
    let isOver = false;
    const generation = () => Math.floor(frame / 80);
    const running = (async () => {
      while (!isOver) {
        await publisher.publish(CAMERAS.map((dataSourceId) => messageOf(dataSourceId, framesOf(dataSourceId))));
        frame++;
        await new Promise((resolve) => setTimeout(resolve, FRAME_MS));
      }
    })();
    return {
      async stop() {
        isOver = true;
        await running;
      },
    };

    function framesOf(dataSourceId: string): Detection[] {
      const timestamp = Date.now();
      return Array.from({ length: TRACKS }, (_, i) => {
        const x = 40 * i + 60 * Math.sin(frame / 10 + i);
        const rings = [[x, 0, x + 10, 0, x + 10, 10, x, 10, x, 0]];
        const trackId = `${dataSourceId}-${generation()}-${i}`;
        return detection({ trackId, timestamp, polygon: { rings, crs: null } });
      });
    }
  }

  function messageOf(dataSourceId: string, detections: Detection[]) {
    return {
      ...{ topic: topic("camera-log"), key: dataSourceId },
      value: codec.encode("DetectionsRecorded", { dataSourceId, detections }),
    };
  }
});

function areAllOver(signals: readonly SignalRaised[]): boolean {
  const newest = new Map(
    signals.flatMap((each) => (each.subscriptionId === "tracks" ? [[each.subjectId, each] as const] : [])),
  );
  return newest.size > 0 && [...newest.values()].every(({ signal }) => signal === "track_expired");
}
