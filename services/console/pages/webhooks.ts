// Webhooks: which there are, whether their deliveries arrive, and new ones.
import { html, nothing, type TemplateResult } from "lit-html";
import { type ApiError, shownError } from "../data/errors.ts";
import { pollWhileSeen } from "../data/polling.ts";
import {
  createSubscription,
  type DeliveriesPage,
  findSubscription,
  listDeliveries,
  subscriptionPath,
  type WebhookSubscription,
} from "../data/rest-lists.ts";
import { takeToken } from "../data/session.ts";
import { SIGNAL_FILTERS, subscriptionBody } from "../data/signal-body.ts";
import type { App, CreatePage, Page, Place } from "../parts/app.ts";
import { ChoiceFields } from "../parts/choose/choice-fields.ts";
import { CONSOLE } from "../parts/frame.ts";
import { Loaded } from "../parts/loaded.ts";
import { webhookSecrets } from "../parts/rest/kept-secrets.ts";
import { ListedSubscriptions } from "../parts/rest/listed-subscriptions.ts";
import { secretNote } from "../parts/rest/secret-note.ts";
import { statusNote } from "../parts/rest/status-note.ts";
import {
  deliveriesView,
  type SubscriptionAction,
  type SubscriptionDetailParts,
  subscriptionDetail,
} from "../parts/rest/subscription-detail.ts";
import { NEW_SUBSCRIPTION, subscriptionForm } from "../parts/rest/subscription-form.ts";
import { withoutRest } from "../parts/rest/without-rest.ts";
import { empty } from "../parts/states.ts";
import { isolated } from "../picture/isolated.ts";

const DELIVERIES_STEP = 50;
/** Largest page of the interface. */
const MOST_DELIVERIES = 200;

class WebhooksPage implements Page {
  readonly title = "Webhooks";
  readonly #app: App;
  readonly #stopPolling: () => void;
  readonly #list: ListedSubscriptions;
  readonly #chooser: ChoiceFields;
  /** The subscription that is open, undefined in it when there is none with this id. */
  #open: Loaded<WebhookSubscription | undefined> | undefined;
  #deliveries: Loaded<DeliveriesPage> | undefined;
  #shown = DELIVERIES_STEP;
  #id: string | undefined;
  #isNew = false;
  #draft = NEW_SUBSCRIPTION;
  #busy: string | undefined;
  #error: ApiError | undefined;
  #note = "";
  #hasStopped = false;

  constructor(app: App, { query }: Place) {
    this.#app = app;
    this.#list = new ListedSubscriptions(app);
    this.#chooser = new ChoiceFields(app);
    this.moved(query);
    this.#stopPolling = pollWhileSeen(() => {
      if (this.#isListed) this.#list.refresh();
      for (const loaded of this.#ofOne()) if (!loaded.isLoading) loaded.load();
    });
  }

  moved(query: URLSearchParams) {
    this.#open?.stop();
    this.#deliveries?.stop();
    const id = query.get("id") ?? undefined;
    this.#id = id;
    this.#isNew = query.has("new");
    // The other fields of the form are gone with it as well.
    this.#chooser.clear();
    [this.#error, this.#note, this.#shown] = [undefined, "", DELIVERIES_STEP];
    const { rest, redraw } = this.#app;
    this.#open = id === undefined ? undefined : new Loaded(redraw, (signal) => findSubscription(rest, id, signal));
    this.#deliveries = id === undefined ? undefined : this.#loadDeliveries(id);
    if (this.#isListed) this.#list.load();
    else this.#list.stop();
  }

  get #isListed(): boolean {
    return this.#id === undefined && !this.#isNew;
  }

  /** The answers about the subscription that is open. They are asked for again and again. */
  #ofOne(): readonly Loaded<unknown>[] {
    return [this.#open, this.#deliveries].filter((loaded) => loaded !== undefined);
  }

  view() {
    const [heading, content] = this.#views();
    return html`${heading} ${statusNote(this.#note)} ${content}`;
  }

  #views(): readonly [heading: TemplateResult, content: TemplateResult] {
    if (this.#open !== undefined)
      return [
        html`<h1>Webhook <bdi>${this.#id}</bdi></h1>
          <p><a href="${CONSOLE}/webhooks">All webhooks</a></p>`,
        html`${this.#id === undefined ? nothing : this.#secretView(this.#id)}
        ${this.#open.show("the webhook", (subscription) => this.#detail(subscription))}`,
      ];
    if (this.#isNew) return [html`<h1>New webhook</h1>`, this.#form()];
    const mayWrite = this.#app.may("write");
    return [
      html`<div class="row">
        <h1>Webhooks</h1>
        <span class="grow"></span>
        ${mayWrite ? html`<a class="button" href="${CONSOLE}/webhooks?new">New webhook</a>` : nothing}
      </div>`,
      html`${unseenSecrets(webhookSecrets.ids())} ${this.#list.view(mayWrite)}`,
    ];
  }

  stop() {
    this.#hasStopped = true;
    this.#stopPolling();
    this.#list.stop();
    this.#chooser.stop();
    this.#open?.stop();
    this.#deliveries?.stop();
  }

  #loadDeliveries(id: string): Loaded<DeliveriesPage> {
    return new Loaded(this.#app.redraw, (signal) => listDeliveries(this.#app.rest, id, this.#shown, signal));
  }

  #detail(subscription: WebhookSubscription | undefined): TemplateResult {
    if (subscription === undefined) return empty("There is no such webhook.");
    const { id } = subscription;
    const parts: SubscriptionDetailParts = {
      times: this.#app.times,
      mayWrite: this.#app.may("write"),
      busy: this.#busy,
      error: this.#error,
      nameOf: (name, value) => {
        const { from = "lines" } = SIGNAL_FILTERS.find((filter) => filter.name === name) ?? {};
        return from === "lines" ? value : this.#chooser.nameOf(from, value);
      },
      onAction: (action) => this.#act(id, action),
      onRedeliver: (deliveryId) => this.#redeliver(id, deliveryId),
      isWhole: this.#shown === MOST_DELIVERIES,
      onMore: () => {
        this.#shown = Math.min(MOST_DELIVERIES, this.#shown + DELIVERIES_STEP);
        this.#deliveries?.load();
      },
    };
    const deliveries =
      this.#deliveries === undefined
        ? nothing
        : this.#deliveries.show("deliveries", (page) => deliveriesView(page, parts));
    return subscriptionDetail(subscription, deliveries, parts);
  }

  #form(): TemplateResult {
    if (!this.#app.may("write")) return empty("This token may only read.");
    return subscriptionForm({
      draft: this.#draft,
      chooser: this.#chooser,
      error: this.#error,
      isSending: this.#busy !== undefined,
      ownTokenId: takeToken()?.id ?? "",
      onDraft: (draft) => {
        this.#draft = draft;
        this.#app.redraw();
      },
      onSend: (id, form) => this.#create(id, form),
      onCancel: () => this.#app.go("/webhooks"),
    });
  }

  #secretView(id: string): TemplateResult | typeof nothing {
    const secret = webhookSecrets.of(id);
    if (secret === undefined) return nothing;
    return secretNote(secret.title, secret.value, secret.text, () => {
      webhookSecrets.forget(id);
      this.#app.redraw();
    });
  }

  #create(id: string, form: FormData): void {
    const token = takeToken();
    if (token === undefined) return;
    this.#run("create", async () => {
      const secret = await createSubscription(this.#app.rest, id, subscriptionBody(form, token));
      this.#draft = NEW_SUBSCRIPTION;
      const text = "The receiver verifies deliveries with it (docs/receivers.md).";
      webhookSecrets.keep(id, { title: "The secret of the new webhook", value: secret, text });
      // Whoever has left the form stays where they are.
      if (this.#isNew && !this.#hasStopped) this.#app.go(`/webhooks?id=${encodeURIComponent(id)}`, { replace: true });
    });
  }

  #act(id: string, action: SubscriptionAction): void {
    const { rest, go } = this.#app;
    const path = subscriptionPath(id);
    if (action === "delete") {
      if (!confirm(`Delete the webhook ${isolated(id)}? Waiting signals are dropped.`)) return;
      this.#run(action, async () => {
        await rest("DELETE", path);
        webhookSecrets.forget(id);
        if (this.#id === id && !this.#hasStopped) go("/webhooks", { replace: true });
        if (this.#isListed) this.#note = `The webhook ${isolated(id)} is deleted.`;
      });
    } else if (action === "test") {
      this.#run(action, async () => {
        await rest("POST", `${path}/test`);
        this.#say(id, "The test is on its way: it is among the deliveries below.");
      });
    } else {
      if (!confirm(`Make a new secret for ${isolated(id)}? The old one is valid for another day.`)) return;
      this.#run(action, async () => {
        type Rotated = { secret: string; previous_valid_until: string };
        const { secret, previous_valid_until } = await rest<Rotated>("POST", `${path}/rotate-secret`);
        const until = this.#app.times.full(Date.parse(previous_valid_until));
        const text = `The old one is valid until ${until}.`;
        webhookSecrets.keep(id, { title: "The new secret", value: secret, text });
      });
    }
  }

  #redeliver(id: string, deliveryId: string): void {
    this.#run(deliveryId, async () => {
      await this.#app.rest("POST", `${subscriptionPath(id)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`);
      this.#say(id, "The delivery is sent again.");
    });
  }

  /** The page of another webhook has no part in it. */
  #say(id: string, note: string): void {
    if (this.#id === id) this.#note = note;
  }

  /** One thing at a time; the lists follow at once. */
  #run(name: string, act: () => Promise<void>): void {
    [this.#busy, this.#error, this.#note] = [name, undefined, ""];
    this.#app.redraw();
    const id = this.#id;
    act()
      .catch((error: unknown) => {
        if (this.#id === id) this.#error = shownError(error);
      })
      .finally(() => {
        this.#busy = undefined;
        if (this.#hasStopped) return;
        if (this.#isListed) this.#list.load();
        for (const loaded of this.#ofOne()) loaded.load();
        this.#app.redraw();
      });
  }
}

const unseenSecrets = (ids: readonly string[]) =>
  ids.map(
    (id) =>
      html`<p role="status">
        The secret of <a href="${CONSOLE}/webhooks?id=${encodeURIComponent(id)}">${id}</a> has not been saved yet.
      </p>`,
  );

class WithoutRest implements Page {
  readonly title = "Webhooks";
  view = () => html`<h1>Webhooks</h1>
    ${withoutRest("Webhooks")}`;
  stop = () => {};
}

export const createWebhooksPage: CreatePage = (app, place) =>
  app.hasRest ? new WebhooksPage(app, place) : new WithoutRest();
