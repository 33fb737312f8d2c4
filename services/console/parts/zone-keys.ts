// The keyboard on the picture while a zone is edited: a whole zone is drawn by keys alone.
import { cornerBeside, cornerOf, FEWEST_CORNERS, type ZoneDraft } from "../picture/edit/draft.ts";
import { commandOf, type KeyCommand, strideOf } from "../picture/edit/keys.ts";
import { digitsAt, pointText, rounded, stepAt } from "../picture/edit/precision.ts";
import type { Picture } from "../picture/picture.ts";
import { type Point, toImage } from "../picture/view.ts";
import type { ZoneCursor } from "./zone-cursor.ts";
import type { ZoneSession } from "./zone-session.ts";

export class ZoneKeys {
  readonly #picture: Picture;
  readonly #session: ZoneSession;
  readonly #cursor: ZoneCursor;
  readonly #newGesture: () => number;
  /** All moves by one key that is held are one step. */
  #gesture = 0;

  constructor(picture: Picture, session: ZoneSession, cursor: ZoneCursor, newGesture: () => number) {
    this.#picture = picture;
    this.#session = session;
    this.#cursor = cursor;
    this.#newGesture = newGesture;
  }

  /** @returns whether it used the event. */
  handle(event: KeyboardEvent): boolean {
    const command = commandOf(event);
    if (command === undefined) return false;
    if (!event.repeat) this.#gesture = this.#newGesture();
    if (command.do === "go") this.#go(command);
    else this.#commands[command.do]();
    return true;
  }

  readonly #commands: Readonly<Record<Exclude<KeyCommand["do"], "go">, () => void>> = {
    enter: () => (this.#draft.isOpen ? this.#add() : void this.#session.save()),
    erase: () => this.#erase(),
    insert: () => this.#insert(),
    next: () => this.#choose(1),
    previous: () => this.#choose(-1),
    finish: () => this.#session.apply({ type: "finish" }),
    undo: () => this.#session.apply({ type: "undo" }),
    redo: () => this.#session.apply({ type: "redo" }),
    escape: () => this.#escape(),
  };

  get #draft(): ZoneDraft {
    return this.#session.editing.draft;
  }

  #choose(by: 1 | -1): void {
    const { draft, chosen } = this.#session.editing;
    this.#session.apply({ type: "choose", corner: cornerBeside(draft, chosen, by) });
  }

  #erase(): void {
    const { draft, chosen } = this.#session.editing;
    const corner = draft.isOpen ? cornerBeside(draft, undefined, -1) : chosen;
    if (corner === undefined) this.#session.say("No corner is chosen.");
    else this.#session.apply({ type: "remove", corner });
  }

  #escape(): void {
    const { draft, chosen } = this.#session.editing;
    if (draft.isOpen || chosen === undefined) {
      this.#session.cancel();
      return;
    }
    this.#session.apply({ type: "choose", corner: undefined });
    this.#session.say("No corner is chosen: arrows move the zone.");
  }

  #go({ way: [dx, dy], pace }: Extract<KeyCommand, { readonly do: "go" }>): void {
    const { view } = this.#picture;
    const digits = digitsAt(view);
    const stride = strideOf(pace, view.scale, stepAt(digits));
    const session = this.#session;
    const { draft, chosen } = session.editing;
    const moved = ([x, y]: Point) => rounded([x + dx * stride, y + dy * stride], digits);
    if (draft.isOpen) {
      this.#moveCursor(moved(this.#cursor.at ?? this.#middle(digits)));
      return;
    }
    const corner = chosen && cornerOf(draft, chosen);
    if (chosen !== undefined && corner !== undefined) {
      session.apply({ type: "move", corner: chosen, to: moved(corner), gesture: this.#gesture });
    } else session.apply({ type: "shift", by: [dx * stride, dy * stride], gesture: this.#gesture });
  }

  #add(): void {
    const session = this.#session;
    const digits = digitsAt(this.#picture.view);
    const at = this.#cursor.at;
    if (at === undefined) {
      this.#moveCursor(this.#middle(digits));
      return;
    }
    const [exterior = []] = session.editing.draft.rings;
    const [first, last] = [exterior[0], exterior.at(-1)];
    const isAt = (corner: Point | undefined) => corner?.[0] === at[0] && corner[1] === at[1];
    if (isAt(last) || (exterior.length >= FEWEST_CORNERS && isAt(first))) session.apply({ type: "finish" });
    else session.apply({ type: "add", at });
  }

  /** In the middle of the edge that begins at the chosen corner. */
  #insert(): void {
    const session = this.#session;
    const { draft, chosen } = session.editing;
    const from = chosen && cornerOf(draft, chosen);
    if (draft.isOpen || chosen === undefined || from === undefined) {
      session.say("Choose a corner first: N is the next one.");
      return;
    }
    const ring = draft.rings[chosen.ring] ?? [];
    const to = ring[(chosen.index + 1) % ring.length] ?? from;
    const middle: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    session.apply({ type: "insert", after: chosen, at: rounded(middle, digitsAt(this.#picture.view)) });
  }

  #moveCursor(to: Point): void {
    this.#cursor.at = this.#onCanvas(to);
    this.#cursor.isByKeys = true;
    this.#session.say(`Cursor at ${pointText(this.#cursor.at)}.`);
  }

  #middle(digits: number): Point {
    const { view, size } = this.#picture;
    return rounded(toImage(view, [size[0] / 2, size[1] / 2]), digits);
  }

  /** The cursor stays where it is seen. */
  #onCanvas([x, y]: Point): Point {
    const { view, size } = this.#picture;
    const [left, top] = toImage(view, [0, 0]);
    const [right, bottom] = toImage(view, size);
    const within: Point = [Math.min(right, Math.max(left, x)), Math.min(bottom, Math.max(top, y))];
    return rounded(within, digitsAt(view));
  }
}
