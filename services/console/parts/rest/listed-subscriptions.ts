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
/** A shorter list needs no search. */
const MOST_WITHOUT_SEARCH = 10;
const STEP = 100;
/** A search covers this many. They take some megabytes. */
const MOST_SEARCHED = 10_000;
/** A long list is asked for again less often. */
const LONG_LIST_MS = 30_000;
/** A search begins after a pause of the typing: it may take ten pages. */
const TYPING_MS = 150;

interface Known extends SubscriptionsPage {
  /** The newest deliveries of subscriptions, by id, when they were asked for. */
  readonly newest: ReadonlyMap<string, readonly WebhookDelivery[]>;
}

export class ListedSubscriptions {
  readonly #app: App;
  /** Undefined before it is asked for: the page may begin with one webhook. */
  #known: Loaded<Known> | undefined;
  #search = "";
  #shown = STEP;
  #askedAt = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  view(mayWrite: boolean): TemplateResult | typeof nothing {
    return this.#known?.show("webhooks", (known) => this.#list(known, mayWrite)) ?? nothing;
  }

  load(): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    if (this.#known === undefined) this.#known = new Loaded(this.#app.redraw, (signal) => this.#ask(signal));
    else this.#known.load();
  }

  /** Asks again when it is time to. */
  refresh(): void {
    const { subscriptions = [], hasMore = false } = this.#known?.value ?? {};
    const isLong = hasMore || subscriptions.length > STEP;
    if (this.#isSearching || (isLong && performance.now() - this.#askedAt < LONG_LIST_MS)) return;
    this.load();
  }

  stop(): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    this.#known?.stop();
  }

  /** An answer is on its way, or will be asked for in a moment. */
  get #isSearching(): boolean {
    return this.#typing !== undefined || this.#known?.isLoading === true;
  }

  #list({ subscriptions, hasMore, newest }: Known, mayWrite: boolean): TemplateResult {
    const found = foundSubscriptions(subscriptions, this.#search);
    const shown = found.slice(0, this.#shown);
    const listed = shown.map((subscription) => ({ subscription, newest: newest.get(subscription.id) }));
    const isFiltered = this.#search !== "";
    const hasSearch = isFiltered || hasMore || subscriptions.length > MOST_WITHOUT_SEARCH;
    const table =
      found.length === 0 && isFiltered
        ? empty(this.#isSearching ? "Searching …" : notFoundText(hasMore))
        : subscriptionList(listed, this.#app.times, mayWrite);
    const isWithout = shown.length > MOST_WITH_DELIVERIES;
    // A search has asked for as many as it covers.
    const isCut = shown.length < found.length || (hasMore && !isFiltered);
    return html`${hasSearch ? this.#searchField(isWithout) : nothing} ${table}
    ${found.length > 0 && isFiltered && hasMore && !this.#isSearching ? html`<p class="hint">${COVERED_TEXT}</p>` : nothing}
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
      clearTimeout(this.#typing);
      this.#typing = undefined;
      if (this.#known?.value?.hasMore === true) this.#typing = setTimeout(() => this.load(), TYPING_MS);
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
      ${isWithoutDeliveries ? html`<span class="hint">Deliveries are shown for ${MOST_WITH_DELIVERIES} webhooks or fewer.</span>` : nothing}
    </p>`;
  }

  #showMore(): void {
    this.#shown += STEP;
    if (this.#search === "" && this.#known?.value?.hasMore === true) this.load();
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

const COVERED_TEXT = `The search covers the first ${MOST_SEARCHED.toLocaleString()} webhooks.`;

const notFoundText = (hasMore: boolean): string =>
  hasMore
    ? `None of the first ${MOST_SEARCHED.toLocaleString()} webhooks has these words in its id, receiver or workflow.`
    : "No webhook has these words in its id, receiver or workflow.";
