// The needs, the findings and the result of a takeover.
import type { Kafka } from "kafkajs";
import type { LiveSettings, PartitionState } from "../../../projections/live/partition.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { PerAligned, PerOutput } from "../../../schemas/outputs.ts";
import type { OffsetRange } from "../../common/kafka/offsets.ts";
import type { Log } from "../../common/log.ts";
import type { LiveStore } from "../store/live-store.ts";
import type { Owner } from "../store/partition-claims.ts";
import type { LastOutput } from "./last-outputs.ts";
import type { PublishedOutputs } from "./published-outputs.ts";

export interface TakenOver {
  readonly partition: number;
  /** Owner of this takeover in Redis. */
  readonly owner: Owner;
  readonly state: PartitionState;
  /** Camera-log offset at which to begin. */
  readonly begin: number;
  /** Position in Redis; undefined when there is none. */
  readonly stored: number | undefined;
  /** True when Redis had no complete state: the state begins empty at `begin` and must replace the stored one. */
  readonly rebuilding: boolean;
  /** Ends of the partition in each topic of outputs. */
  readonly ends: PerAligned<number>;
  /** Present end of the camera-log partition: before it, the log may still hold expiries of an earlier owner. */
  readonly tail: number;
  readonly written: PublishedOutputs;
  /** True while the camera-log is being filled with the messages of another namespace (npm run repartition). */
  readonly isBeingFilled: boolean;
}

export interface TakeOverDeps {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly store: LiveStore;
  readonly log: Log;
  readonly settings: LiveSettings;
  /** The settings that shape results, as one text. */
  readonly agreed: string;
  readonly lookbackMs: number;
  /** Resolves with the end of the catalog once `settings.geofences` have read it up to there. */
  readonly catalogEnd: () => Promise<number>;
  /** Group whose commits show how far the log was processed. */
  readonly groupId: string;
  readonly topics: {
    readonly cameraLog: string;
    readonly outputs: PerOutput<string>;
  };
}

/**
 * May run only once at a time. Leaves out a partition that no broker leads in the camera-log or in a topic of outputs.
 * Resolves with an empty list when the signal aborts before the partitions are free.
 */
export type TakeOver = (partitions: readonly number[], nowMs: number, signal: AbortSignal) => Promise<TakenOver[]>;

/** Findings in the topics and the group, for all partitions. */
export interface TakeOverFindings {
  readonly logId: string;
  readonly isBeingFilled: boolean;
  readonly logRanges: readonly OffsetRange[];
  readonly outRanges: PerAligned<readonly OffsetRange[]>;
  readonly outputs: PerAligned<readonly LastOutput[]>;
  readonly recent: ReadonlyMap<number, number>;
  readonly catalogEnd: number;
  readonly committed: ReadonlyMap<number, number>;
}
