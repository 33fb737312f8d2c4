// The parts of a kind of subscription. Each kind has a file of its own beside this one, and a line in kinds.ts.
import type { EventBounds } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { Topic } from "../../schemas/topics.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { PlacedDataSource } from "../catalog/placed.ts";
import { inSlices } from "../filters/kinds/seen.ts";
import type { DetectionRecord, TrackRef } from "../history/queries/records.ts";
import type { ShownTrack } from "../track/header.ts";
import type { ChronicleRef, RememberedChronicle } from "./chronicle-memory.ts";
import type { FilterBySource } from "./pinned-sources.ts";
import type { SeenSoFar } from "./seen-positions.ts";
import type { TrackMemory } from "./track-memory.ts";

/**
 * A message to the subscribers of one kind. `index` is its place among all messages of the kind that its event can
 * give. It follows from the event alone, so every instance gives the same message the same place, whatever the instance
 * remembers.
 */
export interface FeedMessage {
  /** The subscription field. */
  readonly kind: string;
  readonly index: number;
  /** Absent: filters of the kind do not ask for data sources. */
  readonly dataSourceId?: string;
  readonly track?: ShownTrack;
  /** Where the track has been, up to this event; only kinds whose filters may ask for it have it. */
  readonly seen?: SeenSoFar;
}

/** What filters may use besides the message. */
export interface MatchDeps {
  readonly catalog: Catalog;
  readonly zonesOf: (detection: DetectionRecord) => readonly string[];
  readonly geofencesOf: (detection: DetectionRecord) => readonly string[];
}

/** What fields may show besides the message, without a wait. */
export interface RootDeps {
  readonly track: (ref: TrackRef) => ShownTrack | undefined;
  readonly zonesOf: (detection: DetectionRecord) => readonly string[];
  readonly geofencesOf: (detection: DetectionRecord) => readonly string[];
}

/** Functions are declared as methods, so that a kind may name the type of its messages and of its filter. */
export interface FeedKind<Message extends FeedMessage = FeedMessage, Filter = FilterBySource> {
  /** Name of the subscription field in the SDL. */
  readonly field: string;
  readonly topic: Topic;
  /** Its fold needs the topic from its beginning, which is kept for ever. Left out: the newest messages are enough. */
  readonly readsAll?: true;
  /** The same function for kinds that are folded together. */
  readonly createFold: CreateFold;
  matches(filter: Filter, message: Message, deps: MatchDeps): boolean;
  /** Absent: filters of this kind never ask where a track has been. */
  asksForPositions?(filter: Filter): boolean;
  /** A client that is behind needs only the newest message under one key; undefined = it needs every message. */
  mergeKey(message: Message): string | undefined;
  /** The value of the subscription field, as the type resolvers expect their parents. */
  rootValue(message: Message, deps: RootDeps): unknown;
}

/** A message of the log, as clients of Kafka hand it over. */
export interface LogMessage {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly offset: string;
  /** Broker time in ms. */
  readonly timestamp: string;
  readonly headers?: Readonly<Record<string, { toString(): string } | undefined>>;
}

/** Where a message is in its partition. */
export interface Place {
  readonly offset: number;
  /** Broker time in ms. */
  readonly recordedAt: number;
}

/** One pass through a topic, with a memory of its own. */
export interface TopicFold<Event extends object = object> {
  /** undefined = the message gives subscribers nothing. The codec must have learned the value's schema. */
  read(message: LogMessage, partition: number): Event | undefined;
  fold(event: Event, place: Place): readonly FeedMessage[];
  /** Only a fold that remembers tracks has it. */
  readonly tracks?: {
    readonly memory: TrackMemory;
    /** Tracks that the caller must look up before it folds the events. */
    toFind(events: readonly Event[]): TrackRef[];
  };
  /** Only a fold that remembers chronicles has it. */
  readonly chronicles?: {
    /** Those that the caller must look up before it folds the events, as they are before the event. */
    toFind(events: readonly (Event | undefined)[]): readonly WantedChronicle[];
    /** undefined = there is none. */
    learn(ref: ChronicleRef, found: RememberedChronicle | undefined): void;
  };
}

/** `at`: index of the first event that changes it. */
export interface WantedChronicle extends ChronicleRef {
  readonly at: number;
}

export interface FoldDeps {
  readonly codec: Codec;
  readonly bounds: EventBounds;
  readonly maxTracks: number;
  readonly maxPositions: number;
}

export type CreateFold = (deps: FoldDeps) => TopicFold;

/** A kind of subscription with its filter; null = everything. */
export interface FeedFilter {
  readonly kind: FeedKind;
  readonly filter: FilterBySource | null;
}

const matchesMessage = ({ kind, filter }: FeedFilter, message: FeedMessage, deps: MatchDeps): boolean =>
  message.kind === kind.field && (filter === null || kind.matches(filter, message, deps));

/** The same with pauses where the caller wants them: yields how many tests of positions it took since the last. */
export const judgeMessage = (asked: FeedFilter, message: FeedMessage, deps: MatchDeps): Generator<number, boolean> =>
  inSlices(() => matchesMessage(asked, message, deps));

export const asksForPositions = ({ kind, filter }: FeedFilter): boolean =>
  filter !== null && kind.asksForPositions?.(filter) === true;

/** null = unknown, or deleted meanwhile. */
export const dataSourceOf = (id: string, { catalog }: MatchDeps): PlacedDataSource | null =>
  catalog.sources.get(id) ?? null;
