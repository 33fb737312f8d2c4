// One camera of the grid.
import { html, nothing, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import type { CameraState } from "../data/camera-groups.ts";
import type { ListedCamera } from "../data/camera-search.ts";
import type { LiveCamera } from "../data/live-camera.ts";
import { CONSOLE } from "./frame.ts";
import { sparkLine } from "./spark-line.ts";
import type { Times } from "./times.ts";

export interface CameraTile {
  readonly camera: ListedCamera;
  readonly state: CameraState;
  readonly starts: readonly number[] | undefined;
  readonly times: Times;
  readonly placed: (element: Element | undefined) => void;
}

export const cameraTile = ({ camera, state, starts, times, placed }: CameraTile): TemplateResult =>
  html`<li class="tile card" data-id=${camera.id} ${ref(placed)}>
    <a href="${CONSOLE}/cameras/${encodeURIComponent(camera.id)}">
      <canvas aria-hidden="true"></canvas>
      <strong><bdi>${camera.name}</bdi></strong>
    </a>
    <div class="quiet-text">
      <bdi>${camera.site ?? nothing}</bdi>
      ${camera.labels.map((label) => html`<bdi class="label">${label}</bdi>`)}
    </div>
    <dl>
      ${figure(
        "detections/s",
        liveFigure(state, (live) => Math.round(live.detectionsPerSecond)),
      )}
      ${figure(
        "in zones",
        liveFigure(state, (live) => live.tracksInZones),
      )}
      ${figure("heartbeat", camera.lastHeartbeat === undefined ? "none" : times.short(camera.lastHeartbeat))}
    </dl>
    ${starts === undefined ? html`<div class="spark"></div>` : sparkLine(starts, startsText(starts))}
  </li>`;

const figure = (name: string, value: string): TemplateResult => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** A camera of which nothing is known must not look like a quiet one. */
function liveFigure(state: CameraState, figureOf: (live: LiveCamera) => number): string {
  if (state === "loading") return "…";
  return state === "refused" ? state : String(figureOf(state));
}

const startsText = (starts: readonly number[]): string =>
  `${starts.reduce((sum, count) => sum + count, 0)} intersections began in the last hour`;
