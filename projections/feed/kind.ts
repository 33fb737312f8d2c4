// The parts of a kind of subscription. Each kind has a file of its own in this folder, and a line in kinds.ts.
import type { EventBounds } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { Topic } from "../../schemas/topics.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { PlacedDataSource } from "../catalog/placed.ts";
import type { SeenSoFar } from "../filters/seen-positions.ts";
import { inSlices } from "../filters/slices.ts";
import type { DetectionRecord, TrackRef } from "../history/queries/records.ts";
import type { ShownTrack } from "../track/header.ts";
import type { ChronicleRef, RememberedChronicle } from "./chronicle-memory.ts";
import type { FilterBySource } from "./pinned-sources.ts";
import type { TrackMemory } from "./track-memory.ts";

/**
 * A message to the subscribers of one kind. `index` is its number among all messages of the kind that its event can
 * give. It derives from the event alone, so every instance gives the same message the same number, whatever the
 * instance remembers.
 */
export interface FeedMessage {
  /** Name of the subscription field. */
  readonly kind: string;
  readonly index: number;
  /** Absent when the filters of the kind have no conditions on data sources. */
  readonly dataSourceId?: string;
  readonly track?: ShownTrack;
  /** The positions of the track up to this event. Only kinds whose filters may test them have it. */
  readonly seen?: SeenSoFar;
}

/** The look-ups that filters may use in addition to the message. */
export interface MatchDeps {
  readonly catalog: Catalog;
  readonly zonesOf: (detection: DetectionRecord) => readonly string[];
  readonly geofencesOf: (detection: DetectionRecord) => readonly string[];
}

/** The look-ups that fields may use in addition to the message, without waiting. */
export interface RootDeps {
  readonly track: (ref: TrackRef) => ShownTrack | undefined;
  readonly zonesOf: (detection: DetectionRecord) => readonly string[];
  readonly geofencesOf: (detection: DetectionRecord) => readonly string[];
}

/**
 * A kind of subscription. Its functions are declared as methods, so that it may name the type of its messages and of
 * its filter.
 */
export interface FeedKind<Message extends FeedMessage = FeedMessage, Filter = FilterBySource> {
  /** Name of the subscription field in the SDL. */
  readonly field: string;
  readonly topic: Topic;
  /**
   * True when the fold needs the topic from its beginning; the topic is kept for ever. Otherwise the newest messages
   * are enough.
   */
  readonly readsAll?: true;
  /** Kinds that are folded together have the same function. */
  readonly createFold: CreateFold;
  matches(filter: Filter, message: Message, deps: MatchDeps): boolean;
  /** Absent when filters of this kind never test the positions of a track. */
  asksForPositions?(filter: Filter): boolean;
  /** Returns the key of a message. A client that lags needs only the newest message with one key. */
  mergeKey(message: Message): string | undefined;
  /** The value of the subscription field, in the form that the type resolvers expect of parents. */
  rootValue(message: Message, deps: RootDeps): unknown;
}

/** A message of the log, as Kafka clients deliver it. */
export interface LogMessage {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly offset: string;
  /** Broker time in ms. */
  readonly timestamp: string;
  readonly headers?: Readonly<Record<string, { toString(): string } | undefined>>;
}

/** The position of a message in its partition, and its time. */
export interface LogPlace {
  readonly offset: number;
  /** Broker time in ms. */
  readonly recordedAt: number;
}

/** One pass through a topic, with a memory of its own. */
export interface TopicFold<Event extends object = object> {
  /**
   * The codec must have loaded the value's schema.
   * @returns undefined when the message is not for subscribers.
   */
  read(message: LogMessage, partition: number): Event | undefined;
  fold(event: Event, place: LogPlace): readonly FeedMessage[];
  /** Only a fold that remembers tracks has this member. */
  readonly tracks?: {
    readonly memory: TrackMemory;
    /** Tracks that the caller must look up before it folds the events. */
    toFind(events: readonly (Event | undefined)[]): TracksToFind;
  };
  /** Only a fold that remembers chronicles has this member. */
  readonly chronicles?: {
    /** Chronicles that the caller must look up before it folds the events, in their state before the event. */
    toFind(events: readonly (Event | undefined)[]): readonly ChronicleToFind[];
    /** Stores a chronicle that was looked up; undefined when there is none. */
    remember(ref: ChronicleRef, found: RememberedChronicle | undefined): void;
  };
}

export interface TracksToFind {
  /** Tracks whose header is unknown. */
  readonly headers: readonly TrackRef[];
  /** Tracks that an event creates: the history knows whether they were there before. */
  readonly created: readonly CreatedTrack[];
}

/** `at` is the index of the creation. */
export interface CreatedTrack extends TrackRef {
  readonly at: number;
}

/** A chronicle to look up. `at` is the index of the first event that changes it. */
export interface ChronicleToFind extends ChronicleRef {
  readonly at: number;
}

export interface FeedFoldDeps {
  readonly codec: Codec;
  readonly bounds: EventBounds;
  readonly maxTracks: number;
  readonly maxPositions: number;
}

export type CreateFold = (deps: FeedFoldDeps) => TopicFold;

/** A kind of subscription with its filter. A null filter matches everything. */
export interface FeedFilter {
  readonly kind: FeedKind;
  readonly filter: FilterBySource | null;
}

const matchesMessage = ({ kind, filter }: FeedFilter, message: FeedMessage, deps: MatchDeps): boolean =>
  message.kind === kind.field && (filter === null || kind.matches(filter, message, deps));

/**
 * Tests a message with pauses when the caller wants them. It yields the number of position tests since the last pause.
 */
export const passesFilter = (asked: FeedFilter, message: FeedMessage, deps: MatchDeps): Generator<number, boolean> =>
  inSlices(() => matchesMessage(asked, message, deps));

export const asksForPositions = ({ kind, filter }: FeedFilter): boolean =>
  filter !== null && kind.asksForPositions?.(filter) === true;

/** @returns null when the data source is unknown or has been deleted. */
export const dataSourceOf = (id: string, { catalog }: MatchDeps): PlacedDataSource | null =>
  catalog.sources.get(id) ?? null;
