// What a kind of subscription is made of. Each has a file of its own beside this one, and a line in kinds.ts.
import type { EventBounds } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { Topic } from "../../schemas/topics.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type PlacedDataSource, placed } from "../catalog/placed.ts";
import type { DetectionRecord } from "../history/queries/records.ts";
import type { ShownTrack } from "../track/header.ts";
import type { FilterBySource } from "./pinned-sources.ts";
import type { SeenSoFar } from "./seen-positions.ts";
import type { TrackMemory } from "./track-memory.ts";

/**
 * What the log means to the subscribers of one kind. Every message carries its place among those of its kind that its
 * event can give, counted from the event alone: every instance, whatever it remembers, gives the same message the same place.
 */
export interface FeedMessage {
  /** The subscription field. */
  readonly kind: string;
  readonly index: number;
  readonly dataSourceId: string;
  readonly track?: ShownTrack;
  /** Where the track has been, up to this event; of kinds whose filters may ask for it. */
  readonly seen?: SeenSoFar;
}

/** What filters may ask beside the message. */
export interface MatchDeps {
  readonly catalog: Catalog;
  readonly zonesOf: (detection: DetectionRecord) => readonly string[];
}

/** What fields may show beside the message, without a wait. */
export interface RootDeps {
  readonly track: (id: string) => ShownTrack | undefined;
  readonly zonesOf: (detection: DetectionRecord) => readonly string[];
}

/** Functions are written as methods, so that a kind may name the type of its messages and of its filter. */
export interface FeedKind<Message extends FeedMessage = FeedMessage, Filter = FilterBySource> {
  /** Name of the subscription field in the SDL. */
  readonly field: string;
  readonly topic: Topic;
  /** Its fold needs the topic from its beginning, which is kept for ever. Left out: the newest messages are enough. */
  readonly readsAll?: true;
  /** The same function for kinds that are folded together. */
  readonly createFold: CreateFold;
  matches(filter: Filter, message: Message, deps: MatchDeps): boolean;
  /** Left out: filters never ask where a track has been. */
  asksForPositions?(filter: Filter): boolean;
  /** Of the newest messages under one key only the last matters to a client that is behind; undefined = every one matters. */
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
  /** undefined for what gives no messages. The codec must have learned the value's schema. */
  read(message: LogMessage): Event | undefined;
  fold(event: Event, place: Place): readonly FeedMessage[];
  /** Of a fold that remembers tracks. */
  readonly tracks?: {
    readonly memory: TrackMemory;
    /** Tracks that must be looked up before the events are folded. */
    toFind(events: readonly Event[]): string[];
  };
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

export const matchesMessage = ({ kind, filter }: FeedFilter, message: FeedMessage, deps: MatchDeps): boolean =>
  message.kind === kind.field && (filter === null || kind.matches(filter, message, deps));

export const asksForPositions = ({ kind, filter }: FeedFilter): boolean =>
  filter !== null && kind.asksForPositions?.(filter) === true;

/** null = unknown or deleted meanwhile. */
export function dataSourceOf(id: string, { catalog }: MatchDeps): PlacedDataSource | null {
  const source = catalog.get("dataSource", id);
  return source === undefined ? null : placed(source, catalog);
}
