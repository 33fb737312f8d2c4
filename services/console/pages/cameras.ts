// All cameras, each with a small picture of what happens there.

import { html, nothing, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { repeat } from "lit-html/directives/repeat.js";
import { MINUTE_MS } from "../../../schemas/units.ts";
import { LARGEST_PAGE } from "../data/all-nodes.ts";
import { CameraGroups } from "../data/camera-groups.ts";
import { askCameras } from "../data/camera-list.ts";
import { foundCameras, type ListedCamera } from "../data/camera-search.ts";
import { serverNow } from "../data/clock.ts";
import { pollWhileSeen } from "../data/polling.ts";
import type { App, CreatePage, Page, Place } from "../parts/app.ts";
import { cameraTile } from "../parts/camera-tile.ts";
import { CONSOLE } from "../parts/frame.ts";
import { Loaded } from "../parts/loaded.ts";
import { ADDRESS_MS, createPace } from "../parts/pace.ts";
import { empty } from "../parts/states.ts";
import { TileImages } from "../parts/tile-images.ts";
import { TilePainter } from "../parts/tile-painter.ts";

/** Figures of the tiles change at most so often. */
const TEXTS_MS = 1_000;
/** The list is asked for this often; a long one, which takes a request for each page, as many times less often. */
const REFRESH_MS = 30_000;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
/** A tile is followed shortly before it comes on the screen. */
const AHEAD = "200px";
/** With thousands of tiles on the page, the change of one takes long to lay out. More come at its end. */
const TILES_STEP = 120;

class CamerasPage implements Page {
  readonly title = "Cameras";
  readonly #app: App;
  readonly #cameras: Loaded<readonly ListedCamera[]>;
  readonly #groups: CameraGroups;
  readonly #images: TileImages;
  readonly #painter: TilePainter;
  readonly #texts: ReturnType<typeof createPace>;
  readonly #address = createPace(ADDRESS_MS, () => this.#writeAddress());
  readonly #watch = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: AHEAD });
  readonly #stopPolling: () => void;
  /** The elements of the tiles that are on the page, by camera. */
  readonly #tiles = new Map<string, Element>();
  /** Refs stay the same functions, or every drawing would place every tile again. */
  readonly #placers = new Map<string, (element: Element | undefined) => void>();
  readonly #more = (element: Element | undefined) => {
    if (element !== undefined) this.#watch.observe(element);
  };
  #search: string;
  #most = TILES_STEP;
  /** When the list came last. */
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(app: App, { query }: Place) {
    this.#app = app;
    this.#search = query.get("q") ?? "";
    this.#texts = createPace(TEXTS_MS, app.redraw);
    this.#groups = new CameraGroups(app, (id) => {
      this.#painter.changed(id);
      this.#texts.call();
    });
    this.#images = new TileImages(app, (id) => this.#painter.changed(id));
    this.#painter = new TilePainter(
      (id) => this.#groups.of(id)?.sceneAt(serverNow()),
      (id) => this.#images.of(id),
    );
    this.#cameras = new Loaded(app.redraw, async (signal) => {
      const cameras = await askCameras(app, signal);
      this.#askedAt = performance.now();
      this.#group(cameras);
      return cameras;
    });
    this.#stopPolling = pollWhileSeen(() => {
      if (!this.#cameras.isLoading && performance.now() - this.#askedAt >= this.#pauseMs) this.#cameras.load();
    }, REFRESH_MS);
  }

  view() {
    return html`<div class="row cameras-head">
        <h1>Cameras</h1>
        <input
          type="search"
          aria-label="Search by name, site or label"
          placeholder="Name, site or label"
          .value=${this.#search}
          @input=${this.#onSearch}
        />
      </div>
      ${this.#cameras.show("cameras", (cameras) => this.#grid(cameras))}`;
  }

  /** 0 for a short list, which each turn of the polling asks for. */
  get #pauseMs(): number {
    const pages = Math.ceil((this.#cameras.value?.length ?? 0) / LARGEST_PAGE);
    return pages < 2 ? 0 : Math.min(pages * REFRESH_MS, LONGEST_PAUSE_MS);
  }

  moved(query: URLSearchParams) {
    this.#find(query.get("q") ?? "");
  }

  stop() {
    this.#stopPolling();
    this.#cameras.stop();
    this.#watch.disconnect();
    this.#groups.stop();
    this.#images.stop();
    this.#painter.stop();
    this.#texts.stop();
    this.#address.stop();
  }

  #find(search: string): void {
    this.#search = search;
    this.#most = TILES_STEP;
    this.#group(this.#cameras.value ?? []);
  }

  /** Cameras that the search leaves out are not followed with those that it finds. */
  #group(cameras: readonly ListedCamera[]): void {
    this.#groups.cameras = foundCameras(cameras, this.#search).map(({ id }) => id);
  }

  #grid(cameras: readonly ListedCamera[]): TemplateResult {
    if (cameras.length === 0) return empty("There is no camera yet. One appears here with its first data source.");
    const found = foundCameras(cameras, this.#search);
    if (found.length === 0) return empty("No camera has these words in its name, site or labels.");
    return html`<p class="quiet-text" role="status">
        ${found.length === cameras.length ? "" : `${found.length} of `}${cameras.length} ${cameras.length === 1 ? "camera" : "cameras"}
      </p>
      <ul class="tiles">
        ${repeat(
          found.slice(0, this.#most),
          ({ id }) => id,
          (camera) => this.#tile(camera),
        )}
      </ul>
      ${
        found.length > this.#most
          ? html`<button type="button" ${ref(this.#more)} @click=${() => this.#showMore()}>Show more</button>`
          : nothing
      }`;
  }

  #tile(camera: ListedCamera): TemplateResult {
    const { id } = camera;
    const placed = this.#placers.get(id) ?? ((element?: Element) => this.#placed(id, element));
    this.#placers.set(id, placed);
    const [state, starts] = [this.#groups.stateOf(id), this.#groups.startsOf(id)];
    return cameraTile({ camera, state, starts, times: this.#app.times, placed });
  }

  #placed(id: string, element: Element | undefined): void {
    const before = this.#tiles.get(id);
    if (before !== undefined && before !== element) {
      this.#watch.unobserve(before);
      this.#tiles.delete(id);
      this.#hide(id);
    }
    if (element === undefined) return;
    this.#tiles.set(id, element);
    this.#watch.observe(element);
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (target instanceof HTMLButtonElement) {
        if (isIntersecting) this.#showMore();
        continue;
      }
      const id = (target as HTMLElement).dataset["id"] ?? "";
      const canvas = target.querySelector("canvas");
      if (!isIntersecting || canvas === null) this.#hide(id);
      else {
        this.#groups.show(id);
        this.#images.show(id);
        this.#painter.show(id, canvas);
      }
    }
  }

  #showMore(): void {
    this.#most += TILES_STEP;
    this.#app.redraw();
  }

  #hide(id: string): void {
    this.#groups.hide(id);
    this.#images.hide(id);
    this.#painter.hide(id);
  }

  readonly #onSearch = (event: Event): void => {
    this.#find((event.target as HTMLInputElement).value);
    this.#app.redraw();
    this.#address.call();
  };

  #writeAddress(): void {
    const query = this.#search === "" ? "" : `?${new URLSearchParams({ q: this.#search })}`;
    this.#app.go(location.pathname.slice(CONSOLE.length) + query, { replace: true });
  }
}

export const createCamerasPage: CreatePage = (app, place) => new CamerasPage(app, place);
