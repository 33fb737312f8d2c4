// Scenes of cameras as they are now. Subscriptions bring only what is new, so queries bring what was there before. The
// subscriptions begin first: what both bring counts once, and nothing falls between them.

import { MINUTE_MS } from "../../../schemas/units.ts";
import type { Scene } from "../picture/scene.ts";
import { allNodes } from "./all-nodes.ts";
import { serverNow } from "./clock.ts";
import type { Crossing } from "./crossings.ts";
import { type ApiError, isTemporary, shownError, waitMsAfter } from "./errors.ts";
import type { LiveSource } from "./live.ts";
import { LiveCamera } from "./live-camera.ts";
import * as ask from "./live-questions.ts";
import { pollWhileSeen } from "./polling.ts";
import { SILENCE_MS } from "./scene-fold.ts";
import type { OwnChange } from "./zone-record.ts";

export interface LiveScene {
  readonly scene: Scene;
  /** The newest first. */
  readonly crossings: readonly Crossing[];
  /** The rate of the last seconds. */
  readonly detectionsPerSecond: number;
  /** A refusal or a failure; the picture goes on with what it has. */
  readonly error: ApiError | undefined;
  /** Whether the first answers have come. */
  readonly isReady: boolean;
  /** Whether so many tracks have not ended that some stays of before may be missing. */
  readonly isCut: boolean;
  reloadZones(): void;
  /** The viewer has changed a zone. */
  zoneChanged(change: OwnChange): void;
  stop(): void;
}

/** @param onChange is called after each message, and each second. */
export function createLiveScene(source: LiveSource, dataSourceId: string, onChange: () => void): LiveScene {
  const scenes = new LiveScenes(source, [dataSourceId], onChange);
  const camera = scenes.of(dataSourceId);
  return {
    get scene() {
      return camera.sceneAt(serverNow());
    },
    get crossings() {
      return camera.crossings;
    },
    get detectionsPerSecond() {
      return camera.detectionsPerSecond;
    },
    get error() {
      return scenes.error;
    },
    get isReady() {
      return scenes.isReady;
    },
    get isCut() {
      return scenes.isCut;
    },
    reloadZones: () => scenes.reloadZones(),
    zoneChanged: (change) => scenes.zoneChanged(dataSourceId, change),
    stop: () => scenes.stop(),
  };
}

const SWEEP_MS = 1_000;
const ZONES_MS = 20_000;
/** The history may lag the log; after this time it has what was recorded before the subscriptions began. */
const SETTLED_MS = 3_000;
/** Tracks that have not ended are asked for in at most so many pages. */
const MOST_PAGES = 10;
const LAST_STAYS_MS = 15 * MINUTE_MS;
/** The clock of a sender may be ahead. */
const CLOCK_SKEW_MS = 5_000;

/** Several cameras that share their subscriptions and queries. */
export class LiveScenes {
  readonly #source: LiveSource;
  readonly #ids: readonly string[];
  readonly #cameras: ReadonlyMap<string, LiveCamera>;
  readonly #onChange: (dataSourceId: string) => void;
  readonly #stopped = new AbortController();
  readonly #ends: readonly (() => void)[];
  /** A subscription was refused, which stays so. */
  #refusal: ApiError | undefined;
  /** A query has failed. It is repeated while its refusal is a temporary one. */
  #failure: ApiError | undefined;
  /** How often the viewer has changed zones. */
  #zoneChanges = 0;
  isReady = false;
  /** Whether so many tracks have not ended that some stays of before may be missing. */
  isCut = false;

  /** @param onChange is called after each message of a camera, and each second. */
  constructor(source: LiveSource, ids: readonly string[], onChange: (dataSourceId: string) => void) {
    this.#source = source;
    this.#ids = ids;
    this.#onChange = onChange;
    this.#cameras = new Map(ids.map((id) => [id, new LiveCamera()]));
    const sweeping = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#ends = [...this.#follow(), pollWhileSeen(() => this.#askZones(), ZONES_MS), () => clearInterval(sweeping)];
    // A refusal is shown already, and nobody has to know of one after `stop`.
    this.#begin().catch(() => {});
  }

  get error(): ApiError | undefined {
    return this.#refusal ?? this.#failure;
  }

  /** @throws an Error for a camera that is not one of these. */
  of(id: string): LiveCamera {
    const camera = this.#cameras.get(id);
    if (camera === undefined) throw new Error(`${id} is not followed here`);
    return camera;
  }

  reloadZones(): void {
    this.#askZones().catch(this.#failed);
  }

  /** An answer that was on its way does not bring back what the viewer has changed. */
  zoneChanged(id: string, change: OwnChange): void {
    this.#zoneChanges += 1;
    this.of(id).zoneChanged(change);
    this.#onChange(id);
    this.reloadZones();
  }

  stop(): void {
    this.#stopped.abort();
    for (const end of this.#ends) end();
  }

  async #begin(): Promise<void> {
    const askPresent = () => this.#askPresent();
    const asks = [askPresent, () => this.#askZones(), () => this.#askStays()];
    await Promise.all(asks.map((ask) => this.#untilAnswered(ask)));
    this.isReady = true;
    this.#answered();
    await this.#wait(SETTLED_MS);
    // Only this answer shows which stays of the first one had ended already.
    await this.#untilAnswered(askPresent);
    this.#answered();
  }

  /** @throws the refusal after which another try is in vain. */
  async #untilAnswered(ask: () => Promise<void>): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        await ask();
        return;
      } catch (reason) {
        this.#failed(reason);
        const error = shownError(reason);
        if (this.#stopped.signal.aborted || !isTemporary(error)) throw reason;
        await this.#wait(waitMsAfter(error, failures));
      }
    }
  }

  #follow(): readonly (() => void)[] {
    const follow = <Data>(document: string, onData: (data: Data) => void) =>
      this.#source.live.follow<Data>(document, { ids: this.#ids }, onData, this.#refused);
    return [
      follow<{ detectionActivity: ask.DetectionNode }>(ask.NEW_DETECTIONS, ({ detectionActivity: node }) =>
        this.#with(node.track.dataSource, (camera) => camera.detected(node, serverNow())),
      ),
      follow<{ zoneIntersections: { message: ask.StayNode } }>(ask.NEW_STAYS, ({ zoneIntersections: { message } }) =>
        this.#with(message.track.dataSource, (camera) => camera.crossed(message, serverNow())),
      ),
      follow<{ tracks: { message: ask.EndNode } }>(ask.NEW_ENDS, ({ tracks: { message } }) =>
        this.#with(message.dataSource, (camera) => camera.ended(message, serverNow())),
      ),
    ];
  }

  async #askPresent(): Promise<void> {
    await Promise.all([this.#askDetections(), this.#askOpenStays()]);
  }

  async #askDetections(): Promise<void> {
    const { detections } = await this.#ask<ask.DetectionsAnswer>(ask.LAST_DETECTIONS, { time: lastMs(SILENCE_MS) });
    for (const { node } of detections.edges.toReversed())
      this.#with(node.track.dataSource, (camera) => camera.wasDetected(node, serverNow()));
  }

  async #askOpenStays(): Promise<void> {
    const stays: ask.StayNode[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const { tracks }: ask.OpenTracksAnswer = await this.#ask<ask.OpenTracksAnswer>(ask.OPEN_TRACKS, { after });
      stays.push(...tracks.edges.flatMap(({ node }) => node.zoneIntersections ?? []));
      after = tracks.pageInfo.hasNextPage ? tracks.pageInfo.endCursor : null;
      pages += 1;
    } while (after !== null && pages < MOST_PAGES);
    this.isCut = after !== null;
    const open = stays.filter(({ endTime }) => endTime === null);
    const bySource = Map.groupBy(open, ({ track }) => track.dataSource?.id);
    for (const [id, camera] of this.#cameras) camera.areInside(bySource.get(id) ?? []);
    this.#allChanged();
  }

  async #askZones(): Promise<void> {
    const changes = this.#zoneChanges;
    const zones = await allNodes<ask.ZoneNode>((document, page) => this.#ask(document, page), ask.ZONES);
    if (changes !== this.#zoneChanges) return;
    const bySource = Map.groupBy(zones, ({ dataSource }) => dataSource?.id);
    for (const [id, camera] of this.#cameras) camera.zones = bySource.get(id) ?? [];
    this.#allChanged();
  }

  async #askStays(): Promise<void> {
    const time = lastMs(LAST_STAYS_MS);
    const { zoneIntersections } = await this.#ask<ask.StaysAnswer>(ask.LAST_STAYS, { time });
    for (const { node } of zoneIntersections.edges)
      this.#with(node.track.dataSource, (camera) => camera.remember(node));
  }

  #ask<Answer>(document: string, variables: object = {}): Promise<Answer> {
    return this.#source.ask<Answer>(document, { ids: this.#ids, ...variables }, this.#stopped.signal);
  }

  #with(dataSource: ask.Source, change: (camera: LiveCamera) => void): void {
    const camera = dataSource === null ? undefined : this.#cameras.get(dataSource.id);
    if (dataSource === null || camera === undefined) return;
    change(camera);
    this.#onChange(dataSource.id);
  }

  #sweep(): void {
    for (const camera of this.#cameras.values()) camera.sweep(serverNow());
    this.#allChanged();
  }

  #allChanged(): void {
    for (const id of this.#ids) this.#onChange(id);
  }

  async #wait(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#stopped.signal.throwIfAborted();
  }

  #answered(): void {
    this.#failure = undefined;
    this.#allChanged();
  }

  readonly #refused = (error: ApiError): void => {
    this.#refusal ??= error;
    this.#allChanged();
  };

  readonly #failed = (reason: unknown): void => {
    if (this.#stopped.signal.aborted) return;
    this.#failure = shownError(reason);
    this.#allChanged();
  };
}

/** A filter for the last so many milliseconds. */
const lastMs = (ms: number) => ({
  between: [serverNow() - ms, serverNow() + CLOCK_SKEW_MS].map((at) => new Date(at).toISOString()),
});
