// Mouse, touch and pen on the picture while a zone is edited.
import { dragged, givenUp, type PointerPlace, type Press, pressed, released } from "../picture/edit/gestures.ts";
import { editHitOf, reachOf } from "../picture/edit/hit.ts";
import { digitsAt, rounded } from "../picture/edit/precision.ts";
import type { Picture } from "../picture/picture.ts";
import { type Point, toScreen } from "../picture/view.ts";
import type { ZoneCursor } from "./zone-cursor.ts";
import type { ZoneSession } from "./zone-session.ts";

const CURSORS = { corner: "move", edge: "copy", inside: "move", nothing: "" } as const;

export class ZonePointer {
  readonly #picture: Picture;
  readonly #session: ZoneSession;
  readonly #cursor: ZoneCursor;
  readonly #newGesture: () => number;
  #press: Press | undefined;
  #pointerId: number | undefined;
  /** The kind of the last press: a long press of a finger also opens a context menu, and must remove nothing. */
  #kind = "mouse";

  constructor(picture: Picture, session: ZoneSession, cursor: ZoneCursor, newGesture: () => number) {
    this.#picture = picture;
    this.#session = session;
    this.#cursor = cursor;
    this.#newGesture = newGesture;
  }

  get isDown(): boolean {
    return this.#press !== undefined;
  }

  /** @returns whether it used the event. */
  handle(event: MouseEvent, at: Point): boolean {
    switch (event.type) {
      case "pointerdown":
        return this.#down(event as PointerEvent, at);
      case "pointermove":
        return this.#move(event as PointerEvent, at);
      case "pointerup":
        return this.#up(event as PointerEvent);
      case "pointercancel":
        return this.#giveUp();
      case "contextmenu":
        return this.#menu(at);
      default:
        // A double click finishes a drawing with its second press; it must not zoom.
        return true;
    }
  }

  stop(): void {
    this.#picture.canvas.style.cursor = "";
  }

  #down(event: PointerEvent, at: Point): boolean {
    this.#kind = event.pointerType;
    // A second finger begins a zoom, so the first one drew nothing.
    if (this.#press !== undefined) return !this.#giveUp();
    if (event.button !== 0) return false;
    const { editing } = this.#session;
    const place = this.#placeOf(event, at);
    const { press, actions } = pressed(editing, this.#picture.view, place, this.#newGesture());
    this.#press = press;
    for (const action of actions) this.#session.apply(action);
    if (press === undefined) return false;
    this.#pointerId = event.pointerId;
    this.#picture.canvas.setPointerCapture(event.pointerId);
    this.#picture.canvas.focus();
    return true;
  }

  #move(event: PointerEvent, at: Point): boolean {
    const place = this.#placeOf(event, at);
    if (this.#press === undefined) return event.buttons === 0 && this.#hover(place);
    if (event.pointerId !== this.#pointerId) return false;
    const { press, actions } = dragged(this.#press, place);
    this.#press = press;
    for (const action of actions) this.#session.apply(action);
    return true;
  }

  #hover({ screen, image, kind }: PointerPlace): boolean {
    const { draft } = this.#session.editing;
    const { on } = editHitOf(draft, this.#picture.view, screen, reachOf(kind));
    this.#picture.canvas.style.cursor = draft.isOpen && on !== "corner" ? "crosshair" : CURSORS[on];
    if (!draft.isOpen) return on !== "nothing";
    this.#cursor.at = image;
    this.#cursor.isByKeys = false;
    this.#picture.repaint();
    return true;
  }

  #up(event: PointerEvent): boolean {
    if (this.#press === undefined || event.pointerId !== this.#pointerId) return false;
    for (const action of released(this.#press)) this.#session.apply(action);
    this.#press = undefined;
    return true;
  }

  #giveUp(): boolean {
    if (this.#press === undefined) return false;
    for (const action of givenUp(this.#press, this.#session.editing)) this.#session.apply(action);
    this.#press = undefined;
    return true;
  }

  /** A right click removes the corner under it. */
  #menu(at: Point): boolean {
    if (this.#kind !== "mouse") return true;
    const { view } = this.#picture;
    const hit = editHitOf(this.#session.editing.draft, view, toScreen(view, at), reachOf(this.#kind));
    if (hit.on === "corner") this.#session.apply({ type: "remove", corner: hit.corner });
    return true;
  }

  #placeOf({ pointerType }: PointerEvent, at: Point): PointerPlace {
    const { view } = this.#picture;
    return { screen: toScreen(view, at), image: rounded(at, digitsAt(view)), kind: pointerType };
  }
}
