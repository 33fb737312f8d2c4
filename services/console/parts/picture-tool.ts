// The places on the page of a camera for other parts: a tool over the picture, and a time line below it.
import type { TemplateResult } from "lit-html";
import type { OwnChange } from "../data/zone-record.ts";
import type { Layer, Picture } from "../picture/picture.ts";
import type { Scene } from "../picture/scene.ts";
import type { Point } from "../picture/view.ts";
import type { App } from "./app.ts";

/** The page of a camera, as its tool and its time line see it. */
export interface CameraHost {
  readonly app: App;
  readonly dataSourceId: string;
  readonly picture: Picture;
  /** The scene that is shown, live or past. */
  readonly scene: Scene;
  /** Asks for the zones again, after a change. */
  reloadZones(): void;
  /** Shows a change that the viewer has saved, before the zones are asked for again. */
  zoneChanged(change: OwnChange): void;
}

/** For example the editor of zones. While it is active, it gets pointers and keys before the picture does. */
export interface PictureTool {
  /** Painted over everything else. */
  readonly layer: Layer;
  /** While it works, a click on the picture opens nothing: that would end the work. */
  readonly isAtWork: boolean;
  /** The toolbar, above the picture. */
  view(): TemplateResult;
  /**
   * Events pointerdown, pointermove, pointerup, pointercancel, dblclick and contextmenu of the canvas.
   * @param at the point of the image under the pointer.
   * @returns whether it used the event; the picture then neither pans nor opens anything.
   */
  pointer(event: MouseEvent, at: Point): boolean;
  /** @returns whether it used the event keydown of the canvas. */
  key(event: KeyboardEvent): boolean;
  /** Asks the user when the end of the work would lose something. */
  mayLeave(): boolean;
  stop(): void;
}

/** Below the picture. */
export interface TimeLine {
  /** The scene of the chosen moment; undefined while the page is live. */
  readonly past: Scene | undefined;
  /** Whether the scene of the chosen moment, or its zones, are still those of before. */
  readonly isWaiting: boolean;
  /** Says that the picture is not that of the chosen moment yet. */
  readonly note: string | undefined;
  /** Painted below objects and zones, for example a heat map. */
  readonly layer?: Layer;
  view(): TemplateResult;
  /** The query of the address has changed. */
  moved?(query: URLSearchParams): void;
  stop(): void;
}

export type CreatePictureTool = (host: CameraHost) => PictureTool;
export type CreateTimeLine = (host: CameraHost, query: URLSearchParams) => TimeLine;
