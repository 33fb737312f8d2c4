// Instances that hang for longer than their session time-out, during work, and wake after others took over.
import { test } from "vitest";
import { createRandom } from "../../services/cli/demo/scene/random.ts";
import { survive } from "../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { until } from "../support/running/processes.ts";
import { useStack } from "../support/running/stack.ts";
import { type System, startSystem } from "../support/running/system.ts";
import { AT_WORK } from "./at-work.ts";
import { extent } from "./extent.ts";
import { hang } from "./strike.ts";

test("instances that hang while others take their work over write nothing twice when they wake", async () => {
  const settings = await quickSettings(useStack().env);
  const system = await startSystem(settings);
  const pairs = [await pairOf(system, "state-machine"), await pairOf(system, "projector")];
  const sessionMs = Number(settings["KAFKA_SESSION_TIMEOUT_MS"]);
  const random = createRandom(31);

  const load = { seed: 31, pauseMs: 40, cameras: 6, fps: 8, seconds: extent.sceneSeconds };
  await survive(system, { ttlMs: TTL_MS, ...load }, async () => {
    for (let n = 0; n < extent.hangs; n++) {
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 1_000)));
      // Others wait for the session time-out, and then until the owner has been silent for a few seconds.
      const ms = sessionMs + random.between(3_000, 8_000);
      await Promise.all(
        pairs.map(async ({ processes, assigned }) => {
          const [sleeper, other] = n % 2 === 0 ? processes : processes.toReversed();
          if (sleeper === undefined || other === undefined) throw new Error("two are needed");
          const before = assigned(other.output());
          await hang(sleeper.pid, ms);
          await until(() => assigned(other.output()) > before);
        }),
      );
    }
  });
});

async function pairOf(system: System, name: keyof typeof AT_WORK) {
  const text = `"msg":"${AT_WORK[name]}"`;
  return {
    processes: [system.services[name], await system.start(name)],
    assigned: (output: string): number => output.split(text).length - 1,
  };
}
