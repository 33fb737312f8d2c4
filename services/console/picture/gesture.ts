// Fingers or a mouse on a picture: dragging moves it, two fingers zoom it, and a press that goes nowhere is a click.
import { moved, type Point, pinched, type View } from "./view.ts";

/** Hands tremble: so few pixels of the screen are no movement. */
const STILL = 4;

export class Gesture {
  readonly #pointers = new Map<number, Point>();
  #start: Point | undefined;
  #isDrag = false;

  get isActive(): boolean {
    return this.#pointers.size > 0;
  }

  get isDrag(): boolean {
    return this.#isDrag;
  }

  down(pointerId: number, at: Point): void {
    if (this.#pointers.size === 0) [this.#start, this.#isDrag] = [at, false];
    this.#pointers.set(pointerId, at);
    if (this.#pointers.size > 1) this.#isDrag = true;
  }

  /** Takes a finger that something else had until now. */
  adopt(pointerId: number, at: Point): void {
    if (!this.#pointers.has(pointerId)) this.down(pointerId, at);
  }

  /** @returns the view after the movement; undefined while nothing moves. */
  move(pointerId: number, at: Point, view: View): View | undefined {
    const before = this.#pointers.get(pointerId);
    if (before === undefined) return undefined;
    if (this.#start !== undefined && !this.#isDrag) {
      if (Math.hypot(at[0] - this.#start[0], at[1] - this.#start[1]) < STILL) return undefined;
      this.#isDrag = true;
    }
    const other = [...this.#pointers].find(([id]) => id !== pointerId)?.[1];
    this.#pointers.set(pointerId, at);
    if (other === undefined) return moved(view, [at[0] - before[0], at[1] - before[1]]);
    return pinched(view, [before, other], [at, other]);
  }

  /** @returns whether it was a click. */
  up(pointerId: number): boolean {
    const wasKnown = this.#pointers.delete(pointerId);
    return wasKnown && this.#pointers.size === 0 && !this.#isDrag;
  }

  cancel(): void {
    this.#pointers.clear();
    this.#isDrag = false;
  }
}
