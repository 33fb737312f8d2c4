// A plan of a calibrated camera: where its objects are on the ground, and the geofences of its site.
import { html, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import type { PlanGeofence } from "../data/camera-facts.ts";
import { paintGrid } from "../picture/paint/ground.ts";
import { paintLabels } from "../picture/paint/labels.ts";
import { shortId } from "../picture/paint/objects.ts";
import { addRing } from "../picture/paint/outline.ts";
import { currentTheme, type Theme } from "../picture/paint/theme.ts";
import { type Layer, Picture } from "../picture/picture.ts";
import { planAround } from "../picture/plan.ts";
import { boxOf, joined } from "../picture/rings.ts";
import type { Scene } from "../picture/scene.ts";
import { inkOn, tagColour } from "../picture/tag-colour.ts";
import type { Box, Point, Ring } from "../picture/view.ts";
import { pictureButtons } from "./picture-buttons.ts";

interface Fence {
  readonly name: string;
  readonly isActive: boolean;
  readonly rings: readonly Ring[];
}

const MOST_LABELLED = 50;

export class PlanPicture {
  readonly #scene: () => Scene;
  readonly #geofences: readonly PlanGeofence[];
  readonly #scheme = matchMedia("(prefers-color-scheme: dark)");
  #toPlan: ((position: Point) => Point) | undefined;
  #fences: readonly Fence[] = [];
  #picture: Picture | undefined;
  #theme: Theme | undefined;
  /** Grows with what it has to hold, so that the plan does not jump. */
  #all: Box | undefined;

  constructor(scene: () => Scene, geofences: readonly PlanGeofence[]) {
    this.#scene = scene;
    this.#geofences = geofences;
    this.#scheme.addEventListener("change", this.#schemeChanged);
  }

  changed(): void {
    this.#picture?.refresh();
  }

  view(): TemplateResult {
    const zoom = (factor: number) => {
      const [width, height] = this.#picture?.size ?? [0, 0];
      this.#picture?.zoom(factor, [width / 2, height / 2]);
    };
    return html`<section class="card plan" aria-label="Plan">
      <h2>On the ground</h2>
      <div class="camera-picture">
        <canvas
          class="picture"
          role="img"
          aria-label="Plan in metres, north up: ${this.#geofences.length} geofences"
          ${ref(this.#placed)}
        ></canvas>
        ${pictureButtons(zoom, () => this.#picture?.showAll())}
      </div>
    </section>`;
  }

  stop(): void {
    this.#scheme.removeEventListener("change", this.#schemeChanged);
    this.#picture?.stop();
  }

  readonly #placed = (canvas: Element | undefined): void => {
    if (!(canvas instanceof HTMLCanvasElement) || this.#picture !== undefined) return;
    this.#picture = new Picture(canvas, () => [this.#layer]);
  };

  readonly #schemeChanged = (): void => {
    this.#theme = undefined;
    this.#picture?.repaint();
  };

  readonly #layer: Layer = (context, view) => {
    const picture = this.#picture;
    const objects = [...this.#scene().objects.values()];
    const toPlan = this.#projection(objects.find(({ position }) => position !== null)?.position ?? undefined);
    if (picture === undefined || toPlan === undefined) return;
    const places = objects.flatMap((object) =>
      object.position === null ? [] : [{ ...object, place: toPlan(object.position) }],
    );
    this.#hold(
      picture,
      places.map(({ place: [x, y] }) => [x, y, x, y] as const),
    );
    this.#theme ??= currentTheme();
    context.font = this.#theme.font;
    const { scale, left, top } = view;
    if (this.#all) paintGrid({ context, view, box: this.#all, theme: this.#theme, unit: "m" });
    this.#paintFences(context, view, this.#theme);
    for (const { place, tag } of places) {
      context.fillStyle = tagColour(tag);
      context.beginPath();
      context.arc(left + place[0] * scale, top + place[1] * scale, 5, 0, 2 * Math.PI);
      context.fill();
    }
    if (places.length > MOST_LABELLED) return;
    const labels = places.map(({ place, tag, trackId }) => ({
      text: `${tag} ${shortId(trackId)}`,
      colour: tagColour(tag),
      at: [left + place[0] * scale + 7, top + place[1] * scale - 3] as const,
    }));
    paintLabels(context, labels, inkOn);
  };

  /** The plan lies around the first place that is known. */
  #projection(position: Point | undefined): ((position: Point) => Point) | undefined {
    const first = this.#geofences[0]?.rings[0]?.[0] ?? position;
    if (this.#toPlan !== undefined || first === undefined) return this.#toPlan;
    const toPlan = planAround(first);
    this.#toPlan = toPlan;
    this.#fences = this.#geofences.map(({ name, isActive, rings }) => ({
      name,
      isActive,
      rings: rings.map((ring) => ring.map(toPlan)),
    }));
    return toPlan;
  }

  #hold(picture: Picture, places: readonly Box[]): void {
    const before = this.#all;
    for (const { rings } of this.#fences) this.#all = joined(this.#all, boxOf(rings[0] ?? []));
    for (const place of places) this.#all = joined(this.#all, place);
    if (this.#all !== undefined && this.#all.join() !== before?.join()) picture.all = this.#all;
  }

  #paintFences(context: CanvasRenderingContext2D, view: Parameters<Layer>[1], theme: Theme): void {
    for (const { rings, isActive } of this.#fences) {
      context.beginPath();
      for (const ring of rings) addRing(context, view, ring);
      context.strokeStyle = isActive ? theme.accent : theme.quiet;
      context.fillStyle = context.strokeStyle;
      context.globalAlpha = 0.1;
      context.fill("evenodd");
      context.globalAlpha = 1;
      context.stroke();
    }
    const labels = this.#fences.map(({ name, rings }) => {
      const [left, top] = boxOf(rings[0] ?? []);
      const at: Point = [view.left + left * view.scale, view.top + top * view.scale];
      return { text: name, colour: theme.accent, at };
    });
    paintLabels(context, labels, () => theme.surface);
  }
}
