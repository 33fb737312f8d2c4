// The zones at past moments, read from their topic for each moment that is asked.
import type { Kafka } from "kafkajs";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { badInput } from "../../../schemas/errors.ts";
import { topicName } from "../../../schemas/topics.ts";
import { MINUTE_MS } from "../../../schemas/units.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import { createLogFetcher } from "../../common/kafka/read/fetch-log.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import { createBoundedRuns, endingFetcher, type RunCaller, type Running } from "../../recorded/bounded-runs.ts";
import { measurePastQuery } from "../../recorded/metrics.ts";
import { readZonesAsOf } from "../../recorded/zones-as-of.ts";

/** Resolves with the zones as they were at a time of the log, ms. Rejects with BAD_USER_INPUT for a later time. */
export type ZonesAtMoment = (at: number, caller: RunCaller) => Promise<ZonesView>;

export interface PastZonesOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly log: Log;
  /** Queries that run or wait. */
  readonly most: number;
  readonly limitMs: number;
}

const FETCH_BYTES = 256 * 1024;
/** A view has every zone that there ever was, so only one is made at a time. */
const RUNNING = 1;

export function createPastZones(options: PastZonesOptions): {
  readonly zonesAt: ZonesAtMoment;
  readonly parts: Part[];
} {
  const { kafka, codec, namespace, log, most, limitMs } = options;
  const topic = topicName(namespace, "zones");
  const admin = kafka.admin();
  const logFetcher = createLogFetcher(kafka, FETCH_BYTES);
  const tooLong = "reading the versions of all zones until this time takes longer than API_QUERY_MS";
  const runs = createBoundedRuns({ most, running: RUNNING, limitMs, tooLong });
  /**
   * The pages of a list come with one moment, one after the other. A view of a moment that has just passed is not kept:
   * the broker's clock may be behind, and a version may still be on its way.
   */
  let last: { readonly at: number; readonly view: ZonesView } | undefined;

  return {
    async zonesAt(at, caller) {
      if (at > Date.now()) throw badInput("lies in the future", ["asOf"]);
      const read = async ({ ending, pace }: Running) => {
        if (last?.at === at) return last.view;
        const [range] = await offsetRanges(admin, topic, [0]);
        const { low: begin, high: end } = range ?? { low: 0, high: 0 };
        const view = await readZonesAsOf(at, {
          admin,
          codec,
          log,
          pace,
          signal: ending.signal,
          throttle: async () => await pace(),
          fetcher: endingFetcher(logFetcher, ending),
          zones: { topic, partition: 0, begin, end },
        });
        if (at < Date.now() - MINUTE_MS) last = { at, view };
        return view;
      };
      return measurePastQuery(
        "zones",
        () => runs(caller, read),
        () => "topic",
      );
    },
    parts: [{ name: "admin", start: admin.connect, stop: admin.disconnect }, logFetcher],
  };
}
