// Lets kafkajs send heartbeats although the wall clock is set back. kafkajs compares the clock with the time of the
// last heartbeat: it would send none for as long as the clock was set back, and the group would give the member up.
import { createRequire } from "node:module";

interface ConsumerGroup {
  lastRequest: number;
  heartbeat(options: { readonly interval: number }): Promise<void>;
}

const require = createRequire(import.meta.url);
const LONG_AGO = 0;

/** Takes effect for the whole process; must be called once. */
export function useSteadyHeartbeats(): void {
  const { prototype }: { readonly prototype: ConsumerGroup } = require("kafkajs/src/consumer/consumerGroup.js");
  const { heartbeat } = prototype;
  prototype.heartbeat = function (this: ConsumerGroup, options) {
    if (Date.now() < this.lastRequest) this.lastRequest = LONG_AGO;
    return heartbeat.call(this, options);
  };
}
