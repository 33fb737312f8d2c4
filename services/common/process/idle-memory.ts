// Gives memory back while the process has nothing to do. V8 keeps what the last load needed, up to 128 MiB for young
// objects alone, and collects nothing while nothing is allocated.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MIB } from "../../../schemas/units.ts";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";

const LOOK_EVERY_MS = 10_000;
/** So many looks in a row must find the process idle. */
const IDLE_LOOKS = 3;
/** After memory was given back it is not given back again for ten minutes, unless there was a load in between. */
const REST_LOOKS = 60;
/** The event loop stands still for 0.3 s with so much in use, and for longer with more. */
const MOST_USED_BYTES = 128 * MIB;
/** Processor time of an idle process, as a share of one core. An idle service takes 1 %. */
const IDLE_SHARE = 0.03;
/** A smaller gain is not worth the collection. */
const LEAST_GAIN_BYTES = 8 * MIB;

interface Look {
  /** Processor time since the look before, as a share of one core. */
  readonly processorShare: number;
  readonly heapBytes: number;
  /** Bytes of the heap that are in use. */
  readonly usedBytes: number;
}

/** Decides when the memory is given back. */
export class Idleness {
  #idleLooks = 0;
  #restLooks = 0;
  /** Bytes of the heap after memory was given back. */
  #least = 0;

  /** @returns true when the memory must be given back now. */
  isReleaseDue({ processorShare, heapBytes, usedBytes }: Look): boolean {
    const isIdle = processorShare < IDLE_SHARE;
    this.#idleLooks = isIdle ? this.#idleLooks + 1 : 0;
    this.#restLooks = isIdle ? Math.max(0, this.#restLooks - 1) : 0;
    const isQuiet = this.#idleLooks >= IDLE_LOOKS && this.#restLooks === 0;
    return isQuiet && usedBytes <= MOST_USED_BYTES && heapBytes - this.#least >= LEAST_GAIN_BYTES;
  }

  released(heapBytes: number): void {
    this.#least = heapBytes;
    this.#restLooks = REST_LOOKS;
  }
}

export function idleMemory(log: Log): Part {
  const idleness = new Idleness();
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = performance.now();
  let spent = process.cpuUsage();

  function look(): void {
    const elapsedMs = performance.now() - lookedAt;
    const { user, system } = process.cpuUsage(spent);
    lookedAt = performance.now();
    spent = process.cpuUsage();
    const { heapTotal: heapBytes, heapUsed: usedBytes } = process.memoryUsage();
    const processorShare = (user + system) / 1_000 / elapsedMs;
    if (!idleness.isReleaseDue({ processorShare, heapBytes, usedBytes })) return;
    releaseMemory();
    const { heapTotal } = process.memoryUsage();
    idleness.released(heapTotal);
    log.debug({ fromBytes: heapBytes, toBytes: heapTotal }, "memory given back");
  }

  return {
    name: "idle memory",
    async start() {
      timer = setInterval(look, LOOK_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
    },
  };
}

type Collect = (options: { readonly type: "major"; readonly flavor: "last-resort" }) => void;
let collect: Collect | undefined;

/** Collects everything, and returns free pages to the system. V8 offers this to new contexts only. @internal */
export function releaseMemory(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
    setFlagsFromString("--no-expose-gc");
  }
  collect({ type: "major", flavor: "last-resort" });
}
