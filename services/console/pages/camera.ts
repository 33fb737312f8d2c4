// One camera: its picture, live or at a past moment, and what the zones see.
import { html, nothing, type TemplateResult } from "lit-html";
import { MINUTE_MS } from "../../../schemas/units.ts";
import { askCameraFacts, type CameraFacts } from "../data/camera-facts.ts";
import { createLiveScene, type LiveScene } from "../data/live-scene.ts";
import { loadedImage } from "../data/loaded-image.ts";
import { PastCrossings } from "../data/past-crossings.ts";
import { PastImage } from "../data/past-image.ts";
import { pollWhileSeen } from "../data/polling.ts";
import type { App, CreatePage, Page, Place } from "../parts/app.ts";
import { CameraPicture } from "../parts/camera-picture.ts";
import { type CrossingsList, crossingsList } from "../parts/crossings-list.ts";
import { CONSOLE } from "../parts/frame.ts";
import { Loaded } from "../parts/loaded.ts";
import { OccupancyView } from "../parts/occupancy.ts";
import { createPace } from "../parts/pace.ts";
import type { CameraHost, PictureTool, TimeLine } from "../parts/picture-tool.ts";
import { PlanPicture } from "../parts/plan-picture.ts";
import { ShownRows } from "../parts/shown-rows.ts";
import { empty, refused } from "../parts/states.ts";
import { trackPath, type WhoIsWhere, whoIsWhere } from "../parts/who-is-where.ts";
import type { Picture } from "../picture/picture.ts";
import type { Scene } from "../picture/scene.ts";
import { cameraParts } from "./camera-parts.ts";

/** Lists and counts beside the picture change at most so often. */
const TEXTS_MS = 500;

class CameraPage implements Page {
  readonly #app: App;
  readonly #id: string;
  #query: URLSearchParams;
  readonly #facts: Loaded<CameraFacts | undefined>;
  readonly #live: LiveScene;
  readonly #picture: CameraPicture;
  readonly #pastCrossings: PastCrossings;
  readonly #pastImage: PastImage;
  readonly #occupancy: OccupancyView;
  readonly #rows: ShownRows;
  readonly #texts: ReturnType<typeof createPace>;
  #plan: PlanPicture | undefined;
  /** The newest image, known by its time: links to a bucket differ each time. */
  #image: { readonly at: number; readonly element: HTMLImageElement } | undefined;
  readonly #stopPolling: () => void;
  #tool: PictureTool | undefined;
  #timeLine: TimeLine | undefined;

  constructor(app: App, { params: [id = ""], query }: Place) {
    this.#app = app;
    this.#id = id;
    this.#query = query;
    this.#rows = new ShownRows(app.redraw);
    this.#texts = createPace(TEXTS_MS, app.redraw);
    this.#live = createLiveScene(app, id, () => this.#changed());
    this.#facts = new Loaded(app.redraw, (signal) => this.#askFacts(signal));
    this.#pastCrossings = new PastCrossings(app, id, app.redraw);
    this.#pastImage = new PastImage(app, id, () => {
      this.#picture.changed();
      app.redraw();
    });
    this.#stopPolling = pollWhileSeen(() => this.#refreshFacts(), MINUTE_MS);
    this.#occupancy = new OccupancyView(app, id);
    this.#picture = new CameraPicture({
      dataSourceId: id,
      times: app.times,
      scene: () => this.#scene,
      zones: () => (this.#isLive ? [] : this.#live.scene.zones),
      tool: () => this.#tool,
      below: () => this.#timeLine?.layer,
      image: () => this.#ground,
      named: () => this.#named,
      onPlaced: (picture) => this.#plugIn(picture),
      onTrack: (trackId) => app.go(trackPath(id, trackId, this.#timeLine?.past?.at).slice(CONSOLE.length)),
      redraw: app.redraw,
    });
  }

  get title() {
    return this.#facts.value?.name ?? "Camera";
  }

  /** Live, or past when the time line gives a scene. */
  get #scene(): Scene {
    return this.#timeLine?.past ?? this.#live.scene;
  }

  get #ground(): HTMLImageElement | undefined {
    const past = this.#timeLine?.past?.at;
    return past === undefined ? this.#image?.element : this.#pastImage.at(past);
  }

  get #named(): string | undefined {
    return this.#query.get("track") ?? undefined;
  }

  get #isLive(): boolean {
    return this.#timeLine?.past === undefined;
  }

  view() {
    const { value, error, isLoading } = this.#facts;
    if (value === undefined && error === undefined && !isLoading)
      return empty("There is no such camera.", html`<a href=${CONSOLE}>All cameras</a>`);
    const scene = this.#scene;
    const past = this.#timeLine?.past?.at;
    return html`${this.#head(value)} ${error === undefined ? nothing : refused(error, () => this.#facts.load())}
      ${this.#live.error === undefined ? nothing : refused(this.#live.error)}
      <div class="camera-page">
        <div class="camera-main">
          ${this.#tool?.view() ?? nothing} ${this.#picture.view(this.title, this.#note(scene))} ${this.#timeLine?.view() ?? nothing}
        </div>
        <div class="camera-side">
          ${this.#isLive && this.#live.isCut ? html`<p class="hint">More tracks have not ended than can be loaded: stays may be missing.</p>` : nothing}
          ${whoIsWhere(this.#who(scene, past))}
          ${crossingsList({ ...this.#crossings(past), times: this.#app.times, dataSourceId: this.#id, until: past })}
        </div>
        <div class="camera-more">${this.#occupancy.view(past)} ${this.#plan?.view() ?? nothing}</div>
      </div>`;
  }

  #who(scene: Scene, past: number | undefined): WhoIsWhere {
    return {
      scene,
      at: past,
      isLoading: this.#isLoading(scene),
      named: this.#named,
      times: this.#app.times,
      dataSourceId: this.#id,
      rows: this.#rows,
      onPoint: (trackId) => this.#picture.mark(trackId),
    };
  }

  #crossings(past: number | undefined): Pick<CrossingsList, "crossings" | "error" | "isCut" | "onAgain"> {
    const all = this.#pastCrossings;
    const onAgain = () => all.again();
    if (past === undefined) return { crossings: this.#live.crossings, error: undefined, isCut: false, onAgain };
    const crossings = all.at(past);
    return { crossings, error: all.error, isCut: all.isCut, onAgain };
  }

  /** Whether the lists have nothing true to say yet. */
  #isLoading({ zones }: Scene): boolean {
    if (!this.#isLive) return this.#timeLine?.isWaiting ?? true;
    return !this.#live.isReady && this.#live.error === undefined && zones.length === 0;
  }

  /** Says why the picture is empty, or of another moment. */
  #note(scene: Scene): string | undefined {
    if (this.#timeLine?.note !== undefined) return this.#timeLine.note;
    if (scene.objects.size > 0) return undefined;
    if (!this.#isLive) return "Nobody was seen at this moment.";
    return this.#live.isReady ? "Nobody has been seen in the last 15 seconds." : "Loading the live picture …";
  }

  #head(facts: CameraFacts | undefined): TemplateResult {
    const isLive = this.#isLive;
    const { detectionsPerSecond, isReady } = this.#live;
    return html`<div class="row camera-head">
      <h1><bdi>${this.title}</bdi></h1>
      ${facts?.site === undefined ? nothing : html`<bdi class="quiet-text">${facts.site}</bdi>`}
      ${(facts?.labels ?? []).map((label) => html`<bdi class="label">${label}</bdi>`)}
      <span class="camera-state" role="status">
        ${isLive ? html`<span class="live-mark">Live</span>` : html`<span class="past-mark">Past</span>`}
      </span>
      ${
        isLive
          ? html`<span class="quiet-text">
              ${!isReady ? "…" : `${Math.round(detectionsPerSecond)} detections/s`}
              ${facts?.lastHeartbeat === undefined ? nothing : `· heartbeat ${this.#app.times.short(facts.lastHeartbeat)}`}
            </span>`
          : this.#imageTime()
      }
    </div>`;
  }

  /** The closest image may be days away from the moment. */
  #imageTime() {
    const past = this.#timeLine?.past?.at;
    const at = past === undefined ? undefined : this.#pastImage.farTime(past);
    return at === undefined ? nothing : html`<span class="quiet-text">Image of ${this.#app.times.full(at)}</span>`;
  }

  /** Heartbeat and image of a page that is open for days. A camera that does not exist is not asked for again. */
  #refreshFacts(): void {
    const { value, error, isLoading } = this.#facts;
    if (!isLoading && (value !== undefined || error !== undefined)) this.#facts.load();
  }

  async #askFacts(signal: AbortSignal): Promise<CameraFacts | undefined> {
    const facts = await askCameraFacts(this.#app, this.#id, signal);
    if (facts?.isCalibrated) this.#plan ??= new PlanPicture(() => this.#scene, facts.geofences);
    if (facts?.image !== undefined) void this.#loadImage(facts.image);
    return facts;
  }

  async #loadImage({ url, at }: NonNullable<CameraFacts["image"]>): Promise<void> {
    if (at === this.#image?.at) return;
    const element = await loadedImage(url);
    // Without it, the grid or the image before stays.
    if (element === undefined) return;
    this.#image = { at, element };
    this.#picture.changed();
  }

  #plugIn(picture: Picture): void {
    const [live, scene] = [this.#live, () => this.#scene];
    const host: CameraHost = {
      app: this.#app,
      dataSourceId: this.#id,
      picture,
      get scene() {
        return scene();
      },
      reloadZones: () => live.reloadZones(),
      zoneChanged: (change) => live.zoneChanged(change),
    };
    this.#tool = cameraParts.tool?.(host);
    this.#timeLine = cameraParts.timeLine?.(host, this.#query);
    this.#app.redraw();
  }

  #changed(): void {
    this.#picture.changed();
    this.#plan?.changed();
    this.#texts.call();
  }

  moved(query: URLSearchParams) {
    this.#query = query;
    this.#picture.changed();
    this.#timeLine?.moved?.(query);
  }

  mayLeave() {
    return this.#tool?.mayLeave() ?? true;
  }

  stop() {
    this.#stopPolling();
    this.#facts.stop();
    this.#live.stop();
    this.#pastCrossings.stop();
    this.#pastImage.stop();
    this.#occupancy.stop();
    this.#texts.stop();
    this.#tool?.stop();
    this.#timeLine?.stop();
    this.#picture.stop();
    this.#plan?.stop();
  }
}

export const createCameraPage: CreatePage = (app, place) => new CameraPage(app, place);
