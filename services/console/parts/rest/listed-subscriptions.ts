// The list of webhooks: a first part of it, or those that a search finds among all of them.
import { html, nothing, type TemplateResult } from "lit-html";
import {
  foundSubscriptions,
  listDeliveries,
  listSubscriptions,
  type SubscriptionsPage,
  type WebhookDelivery,
} from "../../data/rest-lists.ts";
import type { App } from "../app.ts";
import { Loaded } from "../loaded.ts";
import { empty } from "../states.ts";
import { NEWEST, subscriptionList } from "./subscription-list.ts";

/** More subscriptions than these are listed without their deliveries: each takes a request of its own. */
const MOST_WITH_DELIVERIES = 25;
/** A short list is looked through with the eyes. */
const MOST_WITHOUT_SEARCH = 10;
const STEP = 100;
/** A search looks through this many. They take some megabytes. */
const MOST_SEARCHED = 10_000;
/** A long list is asked for again less often. */
const LONG_LIST_MS = 30_000;

interface Known extends SubscriptionsPage {
  /** The newest deliveries of subscriptions, by id, when they were asked for. */
  readonly newest: ReadonlyMap<string, readonly WebhookDelivery[]>;
}

export class ListedSubscriptions {
  readonly #app: App;
  readonly #known: Loaded<Known>;
  #search = "";
  #shown = STEP;
  #askedAt = 0;

  constructor(app: App) {
    this.#app = app;
    this.#known = new Loaded(app.redraw, (signal) => this.#ask(signal));
  }

  view(mayWrite: boolean): TemplateResult | typeof nothing {
    return this.#known.show("webhooks", (known) => this.#list(known, mayWrite));
  }

  load(): void {
    this.#known.load();
  }

  /** Asks again when it is time to. */
  refresh(): void {
    const { subscriptions = [], hasMore = false } = this.#known.value ?? {};
    const isLong = hasMore || subscriptions.length > STEP;
    if (this.#known.isLoading || (isLong && performance.now() - this.#askedAt < LONG_LIST_MS)) return;
    this.load();
  }

  stop(): void {
    this.#known.stop();
  }

  #list({ subscriptions, hasMore, newest }: Known, mayWrite: boolean): TemplateResult {
    const found = foundSubscriptions(subscriptions, this.#search);
    const shown = found.slice(0, this.#shown);
    const listed = shown.map((subscription) => ({ subscription, newest: newest.get(subscription.id) }));
    const hasSearch = hasMore || subscriptions.length > MOST_WITHOUT_SEARCH;
    const table =
      found.length === 0 && this.#search !== ""
        ? empty(this.#known.isLoading ? "Searching …" : "No webhook has these words in its id, receiver or workflow.")
        : subscriptionList(listed, this.#app.times, mayWrite);
    const isWithout = shown.length > MOST_WITH_DELIVERIES;
    const isCut = shown.length < found.length || hasMore;
    return html`${hasSearch ? this.#searchField(isWithout) : nothing} ${table}
    ${
      isCut
        ? html`<p class="row">
            <span class="quiet-text" role="status">The first ${shown.length.toLocaleString()} are shown.</span>
            <button type="button" @click=${() => this.#showMore()}>Show more</button>
          </p>`
        : nothing
    }`;
  }

  #searchField(isWithoutDeliveries: boolean) {
    const find = ({ target }: Event) => {
      this.#search = (target as HTMLInputElement).value;
      this.#shown = STEP;
      if (this.#known.value?.hasMore === true) this.load();
      this.#app.redraw();
    };
    return html`<p class="row">
      <input
        type="search"
        aria-label="Search by id, receiver or workflow"
        placeholder="Id, receiver or workflow"
        .value=${this.#search}
        @input=${find}
      />
      ${isWithoutDeliveries ? html`<span class="hint">Deliveries are shown of ${MOST_WITH_DELIVERIES} webhooks or fewer.</span>` : nothing}
    </p>`;
  }

  #showMore(): void {
    this.#shown += STEP;
    if (this.#known.value?.hasMore === true) this.load();
    this.#app.redraw();
  }

  async #ask(signal: AbortSignal): Promise<Known> {
    this.#askedAt = performance.now();
    const { rest } = this.#app;
    const most = this.#search === "" ? this.#shown : MOST_SEARCHED;
    const page = await listSubscriptions(rest, most, signal);
    const found = foundSubscriptions(page.subscriptions, this.#search);
    if (found.length > MOST_WITH_DELIVERIES) return { ...page, newest: new Map() };
    const newest = await Promise.all(
      found.map(({ id }) =>
        listDeliveries(rest, id, NEWEST, signal).then(
          ({ deliveries }) => [[id, deliveries]] as const,
          // Without the history, deliveries that ended are not known; the list is.
          () => [],
        ),
      ),
    );
    return { ...page, newest: new Map(newest.flat()) };
  }
}
