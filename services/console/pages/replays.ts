// Replays: recorded tracks whose signals are sent once more, to a receiver of the user's choice.
import { html, nothing, type TemplateResult } from "lit-html";
import { askChoices, type Choices, NO_CHOICES } from "../data/choices.ts";
import { type ApiError, shownError } from "../data/errors.ts";
import { forgetReplay, knownReplays, rememberReplay } from "../data/known-replays.ts";
import { pollWhileSeen } from "../data/polling.ts";
import { askReplaySessions, isAnyOpen, type KnownSession } from "../data/replay-sessions.ts";
import { type ReplaySession, replayPath } from "../data/rest-lists.ts";
import { replayBody } from "../data/signal-body.ts";
import type { App, CreatePage, Page, Place } from "../parts/app.ts";
import { CONSOLE } from "../parts/frame.ts";
import { Loaded } from "../parts/loaded.ts";
import { replaySecrets } from "../parts/rest/kept-secrets.ts";
import { replayCard } from "../parts/rest/replay-card.ts";
import { type ReplayDraft, replayDraftOf, replayForm } from "../parts/rest/replay-form.ts";
import { replayOffsets } from "../parts/rest/replay-offsets.ts";
import { secretNote } from "../parts/rest/secret-note.ts";
import { withoutRest } from "../parts/rest/without-rest.ts";
import { empty } from "../parts/states.ts";

const POLL_MS = 1_500;
/** Parameters of the address that fill the form. */
const PREFILLED = ["new", "tracks", "dataSource", "from", "to"];

class ReplaysPage implements Page {
  readonly title = "Replays";
  readonly #app: App;
  readonly #stopPolling: () => void;
  readonly #sessions: Loaded<readonly KnownSession[]>;
  readonly #choices: Loaded<Choices>;
  /** The session that the address names. It is remembered when the server knows it. */
  #id: string | undefined;
  /** A session that was begun here may have taken the place of one that had ended. */
  #begun: string | undefined;
  #draft: ReplayDraft | undefined;
  #offsets: Loaded<TemplateResult> | undefined;
  #busy: string | undefined;
  #error: ApiError | undefined;
  #hasStopped = false;

  constructor(app: App, { query }: Place) {
    this.#app = app;
    this.#sessions = new Loaded(app.redraw, (signal) => this.#askSessions(signal));
    this.#choices = new Loaded(app.redraw, (signal) => askChoices(app.ask, signal));
    this.moved(query);
    this.#stopPolling = pollWhileSeen(() => {
      if (isAnyOpen(this.#sessions.value) && !this.#sessions.isLoading) this.#sessions.load();
    }, POLL_MS);
  }

  moved(query: URLSearchParams) {
    this.#id = query.get("id") ?? undefined;
    this.#draft = PREFILLED.some((name) => query.has(name)) ? replayDraftOf(query, Date.now()) : undefined;
    this.#offsets?.stop();
    [this.#error, this.#offsets] = [undefined, undefined];
    this.#sessions.load();
  }

  view() {
    if (this.#draft !== undefined)
      return html`<h1>New replay</h1>
        ${this.#form(this.#draft)}`;
    const mayWrite = this.#app.may("write") && this.#app.may("read");
    return html`<div class="row">
        <h1>Replays</h1>
        <span class="grow"></span>
        ${mayWrite ? html`<a class="button" href="${CONSOLE}/replays?new">New replay</a>` : nothing}
      </div>
      ${this.#error === undefined ? nothing : html`<p class="fault" role="alert">${this.#error.message}</p>`}
      ${replaySecrets.ids().map((id) => this.#secretView(id))}
      ${this.#sessions.show("replays", (sessions) => this.#list(sessions, mayWrite))}
      ${openForm((id) => this.#app.go(`/replays?id=${encodeURIComponent(id)}`))}`;
  }

  stop() {
    this.#hasStopped = true;
    this.#stopPolling();
    this.#sessions.stop();
    this.#choices.stop();
    this.#offsets?.stop();
  }

  /** Sessions that the server has forgotten are forgotten here as well. */
  async #askSessions(signal: AbortSignal): Promise<readonly KnownSession[]> {
    const asked = this.#id;
    const known = knownReplays();
    const ids = asked === undefined || known.includes(asked) ? known : [asked, ...known];
    const before = (this.#sessions?.value ?? []).filter(({ id }) => id !== this.#begun);
    const found = await askReplaySessions(this.#app.rest, ids, before, signal);
    return found.filter(({ id, error }) => {
      if (error?.code === "NOT_FOUND") forgetReplay(id);
      else if (error === undefined && !known.includes(id)) rememberReplay(id);
      return error?.code !== "NOT_FOUND" || id === asked;
    });
  }

  #list(sessions: readonly KnownSession[], mayWrite: boolean): TemplateResult {
    if (sessions.length === 0)
      return empty(
        "This browser knows no replay. A replay sends the signals of recorded tracks once more, for example to a " +
          "workflow that you are writing.",
      );
    return html`<div class="replays">
      ${sessions.map(({ id, session, error }) => [
        error === undefined ? nothing : unknownReplay(id, error, () => this.#forget(id)),
        session === undefined ? nothing : this.#card(session, mayWrite),
      ])}
    </div>`;
  }

  #card(session: ReplaySession, mayWrite: boolean): TemplateResult {
    const { value: { cameras } = NO_CHOICES } = this.#choices;
    const path = replayPath(session.id);
    return replayCard(session, {
      times: this.#app.times,
      mayWrite,
      isBusy: this.#busy === session.id,
      nameOfCamera: (id) => cameras.find(({ value }) => value === id)?.name ?? id,
      onStep: (count) => this.#run(session.id, () => this.#app.rest("POST", `${path}/step`, { count })),
      onEnd: () =>
        this.#run(session.id, async () => {
          await this.#app.rest("DELETE", path);
          this.#forget(session.id);
        }),
    });
  }

  #forget(id: string): void {
    forgetReplay(id);
    if (this.#id === id) this.#id = undefined;
    if (!this.#hasStopped) this.#sessions.load();
  }

  #form(draft: ReplayDraft): TemplateResult {
    if (!this.#app.may("write")) return empty("This token may only read.");
    return replayForm({
      draft,
      offered: {
        choices: this.#choices.value,
        notice: this.#choices.show("what there is to choose from", () => html``),
      },
      error: this.#error,
      isSending: this.#busy !== undefined,
      suggestedId: suggestedId(Date.now()),
      offsets: this.#offsets?.show("offsets", (text) => text) ?? nothing,
      onDraft: (next) => {
        this.#draft = next;
        this.#app.redraw();
      },
      onOffsets: (form) => {
        const { rest, redraw } = this.#app;
        const { value: { cameras } = NO_CHOICES } = this.#choices;
        this.#offsets = new Loaded(redraw, (signal) => replayOffsets(rest, form, cameras, signal));
      },
      onSend: (id, form) =>
        this.#run("new", async () => {
          const { secret } = await this.#app.rest<{ secret: string }>("POST", replayPath(id), replayBody(form));
          rememberReplay(id);
          this.#begun = id;
          const text = "The receiver verifies the deliveries of this session with it (docs/receivers.md).";
          replaySecrets.keep(id, { title: `The secret of the replay ${id}`, value: secret, text });
          // Whoever has left the form stays where they are.
          if (this.#draft !== undefined && !this.#hasStopped) this.#app.go("/replays", { replace: true });
        }),
      onCancel: () => this.#app.go("/replays"),
    });
  }

  #secretView(id: string): TemplateResult | typeof nothing {
    const secret = replaySecrets.of(id);
    if (secret === undefined) return nothing;
    return secretNote(secret.title, secret.value, secret.text, () => {
      replaySecrets.forget(id);
      this.#app.redraw();
    });
  }

  #run(name: string, act: () => Promise<unknown>): void {
    [this.#busy, this.#error] = [name, undefined];
    this.#app.redraw();
    act()
      .catch((error: unknown) => {
        this.#error = shownError(error);
      })
      .finally(() => {
        this.#busy = undefined;
        if (!this.#hasStopped) this.#sessions.load();
      });
  }
}

/** A session of which the last question was refused. */
const unknownReplay = (id: string, { message }: ApiError, onForget: () => void) =>
  html`<div class="row" role="alert">
    <code>${id}</code> <span class="fault">${message}</span>
    <button type="button" aria-label="Forget ${id}" @click=${onForget}>Forget</button>
  </div>`;

/** Ids are unique for a token; the time makes a readable one. */
const suggestedId = (now: number): string => `console-${new Date(now).toISOString().slice(0, 16).replace(/\D/g, "")}`;

const openForm = (onOpen: (id: string) => void) => {
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const id = String(new FormData(event.target as HTMLFormElement).get("id") ?? "").trim();
    if (id !== "") onOpen(id);
  };
  return html`<form class="row" @submit=${open}>
    <label>Session that somebody else began <input name="id" autocomplete="off" placeholder="Id" /></label>
    <button type="submit">Show</button>
  </form>`;
};

class WithoutRest implements Page {
  readonly title = "Replays";
  view = () => html`<h1>Replays</h1>
    ${withoutRest("Replays")}`;
  stop = () => {};
}

export const createReplaysPage: CreatePage = (app, place) =>
  app.hasRest ? new ReplaysPage(app, place) : new WithoutRest();
