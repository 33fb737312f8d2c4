import type { Part } from "./lifecycle.ts";

export interface Readiness extends Part {
  isReady(): boolean;
}

/**
 * The last part of a server: on when requests are served, and off before anything else stops. For `propagationMs` after
 * that, load balancers still send requests, which are served.
 */
export function createReadiness(propagationMs: number): Readiness {
  let ready = false;
  return {
    name: "readiness",
    isReady: () => ready,
    async start() {
      ready = true;
    },
    async stop() {
      ready = false;
      await new Promise((resolve) => setTimeout(resolve, propagationMs));
    },
  };
}
