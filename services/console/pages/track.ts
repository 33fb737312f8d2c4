// One track: its path, its stays in zones, its speed, and what was around it.
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { MOST_SPOTS, type TrackHeader, type TrackRef } from "../data/track-questions.ts";
import type { App, CreatePage, Page, Place } from "../parts/app.ts";
import { CONSOLE } from "../parts/frame.ts";
import { mediaList } from "../parts/media-list.ts";
import { rawJson } from "../parts/raw-json.ts";
import { SpeedChart } from "../parts/speed-chart.ts";
import { empty, refused } from "../parts/states.ts";
import { fractionText } from "../parts/times.ts";
import { neighbourList, trackFacts, trackLinks } from "../parts/track-facts.ts";
import { TrackPicture } from "../parts/track-picture.ts";
import { trackStays } from "../parts/track-stays.ts";
import { TrackStory } from "../parts/track-story.ts";
import { trackPath } from "../parts/who-is-where.ts";
import { momentOf } from "../past/link.ts";
import { ageOfSpot } from "../past/path.ts";

class TrackPage implements Page {
  readonly #app: App;
  readonly #ref: TrackRef;
  readonly #story: TrackStory;
  readonly #picture: TrackPicture;
  readonly #chart: SpeedChart;

  constructor(app: App, { params: [dataSourceId = "", trackId = ""], query }: Place) {
    this.#app = app;
    this.#ref = { dataSourceId, trackId };
    this.#picture = new TrackPicture(dataSourceId);
    this.#story = new TrackStory(app, this.#ref, momentOf(query).at);
    this.#chart = new SpeedChart(app.times, (at) => this.#choose(at));
  }

  get title() {
    return `Track ${this.#ref.trackId}`;
  }

  view() {
    return this.#story.header.show("the track", (header) =>
      header === undefined ? empty("There is no such track.") : this.#track(header),
    ) as TemplateResult;
  }

  #track(header: TrackHeader): TemplateResult {
    const { at, spot, spots, zones, image, speeds, around, media, pathError } = this.#story;
    const { times } = this.#app;
    const range = this.#story.rangeOf(header);
    return html`<h1><bdi>${header.tag || "Track"}</bdi> <code>${header.id}</code></h1>
      ${trackFacts(header, times)} ${trackLinks(this.#ref, at)}
      <div class="track">
        <section aria-label="Path">
          ${this.#picture.view({ tag: header.tag, spots, zones, image, box: spot?.box })} ${this.#slider()}
          ${this.#amount(header)} ${pathError && refused(pathError, () => this.#story.header.load())}
        </section>
        <section>
          <h2>Stays in zones</h2>
          ${trackStays({ times, stays: header.stays, range, at, onPick: (start) => this.#choose(start) })}
          <h2>Speed, in pixels a second</h2>
          ${this.#chart.view(speeds, at)}
        </section>
        <section>
          <h2>Near it${at !== undefined && html` at ${times.clock(at)}${fractionText(at)}`}</h2>
          ${around?.show("tracks", ({ neighbours }) => neighbourList(neighbours, this.#ref.dataSourceId, at))}
        </section>
        <section>
          <h2>Images and videos</h2>
          ${media?.show("media", (value) => mediaList(value, times))}
        </section>
      </div>
      <details>
        <summary>Raw data</summary>
        ${rawJson({ track: header.raw, detection: around?.value?.raw ?? null })}
      </details>`;
  }

  /** Its steps are the detections of the path. */
  #slider() {
    const { spots, spot, at, index, isWhole } = this.#story;
    if (spot === undefined || at === undefined) return nothing;
    const move = (event: Event, isDone: boolean) => {
      const chosen = spots[Number((event.target as HTMLInputElement).value)];
      if (chosen !== undefined) this.#choose(chosen.at, isDone);
    };
    const { full, length } = this.#app.times;
    const moment = `${full(at)}${fractionText(at)}`;
    const age = isWhole ? ageOfSpot(spot.at, at, length) : undefined;
    return html`<label class="track-moment">
      <span>${moment}</span>
      <input
        type="range"
        min="0"
        max=${spots.length - 1}
        .value=${live(String(index))}
        aria-label="Moment"
        aria-valuetext=${moment}
        @input=${(event: Event) => move(event, false)}
        @change=${(event: Event) => move(event, true)}
      />
    </label>
    ${age === undefined ? nothing : html`<p class="hint track-age" role="status">${age}</p>`}`;
  }

  #amount({ detections }: TrackHeader) {
    const { spots, isWhole } = this.#story;
    if (!isWhole)
      return html`<p class="hint" role="status">${amountText(spots.length)} of ${amountText(detections)} detections …</p>`;
    if (spots.length === 0) return html`<p class="hint">No detection of the track has a polygon.</p>`;
    if (detections <= MOST_SPOTS) return nothing;
    return html`<p class="hint">
      The path is a sample of ${amountText(spots.length)} of ${amountText(detections)} detections, in stretches that are spread evenly over its time.
    </p>`;
  }

  #choose(at: number, isDone = true): void {
    this.#story.choose(at, isDone);
    const { at: chosen } = this.#story;
    if (!isDone || chosen === undefined) return;
    const { dataSourceId, trackId } = this.#ref;
    this.#app.go(trackPath(dataSourceId, trackId, chosen).slice(CONSOLE.length), { replace: true });
  }

  moved(query: URLSearchParams) {
    const { at } = momentOf(query);
    if (at !== undefined && at !== this.#story.at) this.#story.choose(at, true);
  }

  stop() {
    this.#story.stop();
    this.#picture.stop();
    this.#chart.stop();
  }
}

const amountText = (amount: number): string => amount.toLocaleString("en");

export const createTrackPage: CreatePage = (app, place) => new TrackPage(app, place);
