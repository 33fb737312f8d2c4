// Replays: signals of recorded tracks once more, for a receiver or for whoever looks at them here.

import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { serverNow } from "../data/clock.ts";
import { type ApiError, shownError } from "../data/errors.ts";
import { pollWhileSeen } from "../data/polling.ts";
import { askReplays, isAnyOpen, isHeld, newlyEnded, type ReplayList } from "../data/replay-sessions.ts";
import { type ReplaySession, replayPath } from "../data/rest-lists.ts";
import { replayBody } from "../data/signal-body.ts";
import type { App, CreatePage, Page, Place } from "../parts/app.ts";
import { ChoiceFields } from "../parts/choose/choice-fields.ts";
import { CONSOLE } from "../parts/frame.ts";
import { Loaded } from "../parts/loaded.ts";
import { replaySecrets } from "../parts/rest/kept-secrets.ts";
import { replayCard } from "../parts/rest/replay-card.ts";
import { type ReplayDraft, replayDraftOf, replayForm } from "../parts/rest/replay-form.ts";
import { replayOffsets } from "../parts/rest/replay-offsets.ts";
import { secretNote } from "../parts/rest/secret-note.ts";
import { statusNote } from "../parts/rest/status-note.ts";
import { WatchedReplay } from "../parts/rest/watched-replay.ts";
import { withoutRest } from "../parts/rest/without-rest.ts";
import { empty, refused } from "../parts/states.ts";
import { isolated } from "../picture/isolated.ts";

const POLL_MS = 1_500;
/** Without an open session, only another client can begin one. */
const IDLE_POLL_MS = 10_000;
/** Parameters of the address that fill the form. */
const PREFILLED = ["new", "tracks", "dataSource", "from", "to"];

class ReplaysPage implements Page {
  readonly title = "Replays";
  readonly #app: App;
  readonly #stopPolling: () => void;
  readonly #list: Loaded<ReplayList>;
  readonly #chooser: ChoiceFields;
  /** The session that the address names. */
  #id: string | undefined;
  /** The session whose signals are shown. */
  #watched: WatchedReplay | undefined;
  /** Speeds that were chosen, by the ids of their sessions, until the sessions have them. */
  readonly #speeds = new Map<string, string>();
  #draft: ReplayDraft | undefined;
  #offsets: Loaded<TemplateResult> | undefined;
  #busy: string | undefined;
  #error: ApiError | undefined;
  #note = "";
  #askedAt = 0;
  #hasStopped = false;

  constructor(app: App, { query }: Place) {
    this.#app = app;
    this.#chooser = new ChoiceFields(app);
    this.#place(query);
    this.#list = new Loaded(app.redraw, (signal) => this.#ask(signal));
    this.#stopPolling = pollWhileSeen(() => {
      if (!this.#list.isLoading && this.#isDue()) this.#list.load();
      this.#watched?.poll(this.#list.value?.sessions);
    }, POLL_MS);
  }

  moved(query: URLSearchParams) {
    this.#place(query);
    this.#list.load();
  }

  #place(query: URLSearchParams): void {
    this.#id = query.get("id") ?? undefined;
    this.#draft = PREFILLED.some((name) => query.has(name)) ? replayDraftOf(query, serverNow()) : undefined;
    this.#offsets?.stop();
    this.#chooser.clear();
    [this.#error, this.#offsets, this.#note] = [undefined, undefined, ""];
    this.#watch(this.#id);
  }

  #isDue(): boolean {
    return isAnyOpen(this.#list.value) || performance.now() - this.#askedAt >= IDLE_POLL_MS;
  }

  async #ask(signal: AbortSignal): Promise<ReplayList> {
    this.#askedAt = performance.now();
    const watched = this.#watched;
    const list = await askReplays(this.#app.rest, this.#id, signal);
    // A session without a card may have been forgotten: its signals would be asked for in vain.
    const isListed = list.sessions.some(({ id }) => id === watched?.id);
    if (watched !== undefined && watched === this.#watched && !isListed) this.#watch(undefined);
    for (const { id, speed } of list.sessions) if (this.#speeds.get(id) === String(speed)) this.#speeds.delete(id);
    const ended = newlyEnded(this.#list.value, list).map(({ id, state }) => `The replay ${isolated(id)} has ${state}.`);
    if (ended.length > 0) this.#note = ended.join(" ");
    return list;
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
      ${statusNote(this.#note)}
      ${this.#error === undefined ? nothing : html`<p class="fault" role="alert">${this.#error.message}</p>`}
      ${replaySecrets.ids().map((id) => this.#secretView(id))}
      ${this.#list.show("replays", (list) => this.#listView(list, mayWrite))}
      ${openForm((id) => this.#app.go(`/replays?id=${encodeURIComponent(id)}`))}`;
  }

  stop() {
    this.#hasStopped = true;
    this.#stopPolling();
    this.#list.stop();
    this.#chooser.stop();
    this.#offsets?.stop();
    this.#watched?.stop();
  }

  #listView({ sessions, hasMore, error }: ReplayList, mayWrite: boolean): TemplateResult {
    const fault = error === undefined ? nothing : refused(error);
    if (sessions.length === 0 && error === undefined)
      return empty(
        "There is no replay. A replay makes the signals of recorded tracks once more: to see them here, or for a " +
          "workflow that you are writing.",
      );
    return html`${fault}
      <div class="replays">
        ${repeat(
          sessions,
          ({ id }) => id,
          (session) => this.#card(session, mayWrite),
        )}
      </div>
      ${hasMore ? html`<p class="hint">Only the newest replays are listed.</p>` : nothing}`;
  }

  #card(session: ReplaySession, mayWrite: boolean): TemplateResult {
    const { id } = session;
    const path = replayPath(id);
    const chosen = this.#speeds.get(id);
    return replayCard(session, {
      times: this.#app.times,
      mayWrite,
      isBusy: this.#busy === id,
      nameOfCamera: (source) => this.#chooser.nameOf("cameras", source),
      speed: chosen,
      signals: this.#watched?.id === id ? this.#watched.view() : nothing,
      onSignals: () => this.#watch(this.#watched?.id === id ? undefined : id),
      onStep: (count) => this.#run(id, () => this.#app.rest("POST", `${path}/step`, { count })),
      onPause: () => this.#run(id, () => this.#app.rest("POST", `${path}/pause`)),
      onResume: () => this.#run(id, () => this.#resume(id, chosen)),
      onSpeed: (speed) => {
        this.#speeds.set(id, speed);
        // A paused session gets it when it is resumed.
        if (!isHeld(session)) this.#run(id, () => this.#changeSpeed(id, speed));
      },
      onEnd: () => {
        // The session may have ended a moment ago, so both questions name all that is lost.
        const question = session.ended_at === null ? "Stop and forget the replay" : "Forget the replay";
        if (confirm(`${question} ${isolated(id)}? Its signals are forgotten, too.`)) this.#run(id, () => this.#end(id));
      },
    });
  }

  #resume(id: string, speed: string | undefined): Promise<unknown> {
    return this.#app.rest("POST", `${replayPath(id)}/resume`, speed === undefined ? {} : { speed: speedOf(speed) });
  }

  async #changeSpeed(id: string, speed: string): Promise<void> {
    try {
      await this.#resume(id, speed);
    } catch (error) {
      // The session still has its old speed.
      this.#speeds.delete(id);
      throw error;
    }
  }

  async #end(id: string): Promise<void> {
    await this.#app.rest("DELETE", replayPath(id));
    if (this.#id === id) this.#id = undefined;
    if (this.#watched?.id === id) this.#watch(undefined);
  }

  #watch(id: string | undefined): void {
    this.#watched?.stop();
    this.#watched = id === undefined || this.#hasStopped ? undefined : new WatchedReplay(this.#app, id);
    this.#app.redraw();
  }

  #form(draft: ReplayDraft): TemplateResult {
    if (!this.#app.may("write")) return empty("This token may only read.");
    return replayForm({
      draft,
      chooser: this.#chooser,
      error: this.#error,
      isSending: this.#busy !== undefined,
      suggestedId: suggestedId(serverNow()),
      offsets: this.#offsets?.show("offsets", (text) => text) ?? nothing,
      onDraft: (next) => {
        this.#draft = next;
        this.#app.redraw();
      },
      onOffsets: (form) => {
        const { rest, redraw } = this.#app;
        const nameOf = (id: string) => this.#chooser.nameOf("cameras", id);
        this.#offsets = new Loaded(redraw, (signal) => replayOffsets(rest, form, nameOf, signal));
      },
      onSend: (id, form) => this.#run("new", () => this.#begin(id, form)),
      onCancel: () => this.#app.go("/replays"),
    });
  }

  async #begin(id: string, form: FormData): Promise<void> {
    const { secret } = await this.#app.rest<{ secret: string }>("POST", replayPath(id), replayBody(form));
    const text = "The receiver verifies the deliveries of this session with it (docs/receivers.md).";
    if (secret !== "") replaySecrets.keep(id, { title: `The secret of the replay ${id}`, value: secret, text });
    // Whoever has left the form stays where they are.
    if (this.#draft !== undefined && !this.#hasStopped) this.#app.go("/replays", { replace: true });
    this.#watch(id);
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
    [this.#busy, this.#error, this.#note] = [name, undefined, ""];
    this.#app.redraw();
    act()
      .catch((error: unknown) => {
        this.#error = shownError(error);
      })
      .finally(() => {
        this.#busy = undefined;
        if (this.#hasStopped) return;
        this.#list.load();
        this.#watched?.load();
      });
  }
}

const speedOf = (text: string): number | "max" => (text === "max" ? text : Number(text));

/** Ids are unique for a token; the time makes a readable one. */
const suggestedId = (now: number): string => `console-${new Date(now).toISOString().slice(0, 19).replace(/\D/g, "")}`;

const openForm = (onOpen: (id: string) => void) => {
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const id = String(new FormData(event.target as HTMLFormElement).get("id") ?? "").trim();
    if (id !== "") onOpen(id);
  };
  return html`<form class="row" @submit=${open}>
    <label>Session of another token <input name="id" autocomplete="off" placeholder="Id" /></label>
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
