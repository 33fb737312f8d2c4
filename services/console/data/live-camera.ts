// One camera of a live picture: its scene, its crossings and its rate, from nodes as they arrive. Pure: times are
// given.
import type { Scene, SceneZone } from "../picture/scene.ts";
import { type Crossing, Crossings } from "./crossings.ts";
import {
  crossingsOf,
  type DetectionNode,
  type EndNode,
  type StayNode,
  sceneZoneOf,
  seenOf,
  stayOf,
  type ZoneNode,
} from "./live-questions.ts";
import { SceneFold } from "./scene-fold.ts";
import { type OwnChange, withOwnChange } from "./zone-record.ts";

/** The rate is that of so many calls of `sweep`, which come once a second. */
const COUNTED_SECONDS = 5;

export class LiveCamera {
  readonly #fold = new SceneFold();
  readonly #crossings = new Crossings();
  #zones: readonly SceneZone[] = [];
  /** Detections of the last whole seconds, the newest last, and of the present one. */
  #counts: readonly number[] = [];
  #count = 0;

  sceneAt(now: number): Scene {
    return { objects: this.#fold.objects, zones: this.#zones, stays: [...this.#fold.stays], at: now };
  }

  /** The newest first. */
  get crossings(): readonly Crossing[] {
    return this.#crossings.newest;
  }

  get tracksInZones(): number {
    return new Set([...this.#fold.stays].map(({ trackId }) => trackId)).size;
  }

  get detectionsPerSecond(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0) / Math.max(1, this.#counts.length);
  }

  /** A detection of the subscription. */
  detected(node: DetectionNode, now: number): void {
    this.#count += 1;
    this.#fold.detection(seenOf(node), now);
  }

  /** A message of the subscription. */
  crossed(node: StayNode, now: number): void {
    this.#fold.stay(stayOf(node), now);
    if (node.endTime === null) this.#crossings.takeBackEnd(node.id);
    this.remember(node);
  }

  ended({ id, endTime }: EndNode, now: number): void {
    if (endTime !== null) this.#fold.trackEnded(id, Date.parse(endTime), now);
  }

  /** A detection of an answer. */
  wasDetected(node: DetectionNode, now: number): void {
    this.#fold.detection(seenOf(node), now);
  }

  /** All stays of an answer that have not ended there. */
  areInside(nodes: readonly StayNode[]): void {
    this.#fold.openStays(nodes.map(stayOf));
  }

  /** A stay for the list of crossings. */
  remember(node: StayNode): void {
    for (const crossing of crossingsOf(node)) this.#crossings.add(crossing);
  }

  set zones(nodes: readonly ZoneNode[]) {
    this.#zones = nodes.map(sceneZoneOf);
  }

  /** A change by the viewer, whose answer is here before the list of zones has it. */
  zoneChanged(change: OwnChange): void {
    this.#zones = withOwnChange(this.#zones, change);
  }

  /** To be called once a second. */
  sweep(now: number): void {
    this.#fold.sweep(now);
    this.#counts = [...this.#counts.slice(1 - COUNTED_SECONDS), this.#count];
    this.#count = 0;
  }
}
