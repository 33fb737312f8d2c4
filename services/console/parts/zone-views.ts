// The editor of zones, as the page shows it above the picture.
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { ref } from "lit-html/directives/ref.js";
import { FIELD_NAMES, type ZoneField } from "../data/zone-record.ts";
import { FEWEST_CORNERS } from "../picture/edit/draft.ts";
import { KEY_HELP } from "../picture/edit/keys.ts";
import { isolated } from "../picture/isolated.ts";
import type { SceneZone } from "../picture/scene.ts";
import type { Times } from "./times.ts";
import type { Theirs, ZoneSession } from "./zone-session.ts";

export interface ZoneChoice {
  readonly zones: readonly SceneZone[];
  /** The outcome of the last edit. */
  readonly said: string;
  readonly isBusy: boolean;
  readonly onNew: () => void;
  readonly onEdit: (id: string) => void;
}

/** The view while nothing is edited. */
export function zoneChoiceView({ zones, said, isBusy, onNew, onEdit }: ZoneChoice): TemplateResult {
  const choose = (event: SubmitEvent) => {
    event.preventDefault();
    const id = new FormData(event.target as HTMLFormElement).get("zone");
    if (typeof id === "string" && id !== "") onEdit(id);
  };
  const sorted = zones.toSorted((a, b) => a.name.localeCompare(b.name));
  return html`<div class="zone-editor row">
    <button type="button" ?disabled=${isBusy} @click=${onNew}>Draw a zone</button>
    ${
      zones.length === 0
        ? nothing
        : html`<form class="row" @submit=${choose}>
            <select name="zone" aria-label="Zone to change">
              ${sorted.map(({ id, name, isActive }) => html`<option value=${id}>${isActive ? name : `${isolated(name)} (off)`}</option>`)}
            </select>
            <button type="submit" ?disabled=${isBusy}>Change</button>
          </form>`
    }
    <span class="hint" role="status">${said === "" && zones.length > 0 ? "A double click on a zone changes it, too." : said}</span>
  </div>`;
}

export function zoneSessionView(session: ZoneSession, times: Times): TemplateResult {
  const { isBusy, flaw, problem } = session;
  const leave = ({ key }: KeyboardEvent) => {
    if (key === "Escape") session.cancel();
  };
  const label = session.isNew ? "New zone" : "Change of a zone";
  return html`<section class="zone-editor card" aria-label=${label} @keydown=${leave}>
    <form
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        session.save();
      }}
    >
      <fieldset class="row" ?disabled=${isBusy}>${fieldsView(session)} ${stepsView(session)}</fieldset>
    </form>
    ${session.question === undefined ? nothing : questionView(session)}
    ${session.theirs === undefined ? nothing : theirsView(session, session.theirs, times)}
    <p class="zone-line">
      <span class="zone-problem" role="alert">${problem ?? flaw?.text ?? ""}</span>
      <span class="hint" id="zone-hint">${hintOf(session)}</span>
    </p>
    <p class="only-read" role="status" aria-live="polite">${session.said}</p>
    <details class="hint">
      <summary>Keys for the picture</summary>
      <dl class="zone-keys">
        ${KEY_HELP.map(([keys, effect]) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${effect}</dd></div>`)}
      </dl>
    </details>
  </section>`;
}

function fieldsView(session: ZoneSession): TemplateResult {
  const textOf = (event: Event) => (event.target as HTMLInputElement).value;
  const isOn = (event: Event) => (event.target as HTMLInputElement).checked;
  return html`<label>
      Name
      <input
        name="zone-name"
        maxlength="1024"
        autocomplete="off"
        .value=${live(session.name)}
        @input=${(event: Event) => {
          session.name = textOf(event);
        }}
      />
    </label>
    <label title="A zone that is switched off notes no stays.">
      <input
        type="checkbox"
        .checked=${live(session.isActive)}
        @change=${(event: Event) => {
          session.isActive = isOn(event);
        }}
      />
      On
    </label>
    <button type="submit" class="main" ?disabled=${session.theirs !== undefined}>Save</button>
    <button type="button" @click=${() => session.cancel()}>Cancel</button>`;
}

function stepsView(session: ZoneSession): TemplateResult {
  const { past, future, draft, chosen } = session.editing;
  const count = draft.rings[0]?.length ?? 0;
  return html`<span class="zone-steps row" role="group" aria-label="Steps">
      <button type="button" ?disabled=${past.length === 0} @click=${() => session.apply({ type: "undo" })}>Undo</button>
      <button type="button" ?disabled=${future.length === 0} @click=${() => session.apply({ type: "redo" })}>
        Redo
      </button>
      ${
        draft.isOpen
          ? html`<button
              type="button"
              ?disabled=${count < FEWEST_CORNERS}
              @click=${() => session.apply({ type: "finish" })}
            >
              Finish
            </button>`
          : html`<button
              type="button"
              ?disabled=${chosen === undefined}
              @click=${() => chosen && session.apply({ type: "remove", corner: chosen })}
            >
              Remove corner
            </button>`
      }
    </span>
    ${
      session.isNew
        ? nothing
        : html`<button type="button" class="zone-delete" @click=${() => session.ask("delete")}>Delete zone</button>`
    }`;
}

function questionView(session: ZoneSession): TemplateResult {
  const before = session.question === "delete changed" ? "Somebody else has just changed this zone. " : "";
  const [text, yes, act] =
    session.question === "discard"
      ? (["Give up your changes?", "Give up", () => session.giveUp()] as const)
      : ([
          `${before}Delete the zone “${isolated(session.name)}”? Its past stays remain.`,
          "Delete",
          () => session.remove(),
        ] as const);
  return html`<div class="zone-question row" role="alertdialog" aria-label=${text} ${ref(focusFirstButton)}>
    <span>${text}</span>
    <button type="button" @click=${() => session.ask(undefined)}>Go on editing</button>
    <button type="button" class="zone-delete" @click=${act}>${yes}</button>
  </div>`;
}

/**
 * The first button loses nothing, so that a key that is still held does no harm. A ref that stays the same function is
 * called once for an element, before that is on the page.
 */
function focusFirstButton(dialog: Element | undefined): void {
  if (dialog !== undefined) queueMicrotask(() => dialog.querySelector("button")?.focus());
}

/** A dialog that nobody asked for takes the focus itself: the next letter of somebody who types must press nothing. */
function focusWhole(dialog: Element | undefined): void {
  if (dialog instanceof HTMLElement) queueMicrotask(() => dialog.focus());
}

function theirsView(session: ZoneSession, theirs: Theirs, times: Times): TemplateResult {
  if (theirs.is === "deleted") {
    return html`<div class="zone-question row" role="alertdialog" tabindex="-1" ${ref(focusWhole)} aria-label="Somebody else deleted this zone">
      <span>Somebody else deleted this zone meanwhile.</span>
      <button type="button" @click=${() => session.keepMine()}>Save mine as a new zone</button>
      <button type="button" @click=${() => session.giveUp()}>Give up mine</button>
    </div>`;
  }
  const { at, fields, content } = theirs;
  const when = at === null ? "" : ` at ${times.short(Date.parse(at))}`;
  return html`<div class="zone-question" role="alertdialog" tabindex="-1" ${ref(focusWhole)} aria-label="Somebody else changed this zone">
    <p>Somebody else changed this zone${when}, while you were changing the same:</p>
    <ul>
      ${fields.map((field) => html`<li>${differenceText(field, content[field], session.content[field])}</li>`)}
    </ul>
    <div class="row">
      <button type="button" @click=${() => session.keepTheirs()}>Keep theirs</button>
      <button type="button" @click=${() => session.keepMine()}>Save mine</button>
    </div>
  </div>`;
}

function differenceText(field: ZoneField, theirs: unknown, mine: unknown): string {
  switch (field) {
    case "name":
      return `name: theirs is “${isolated(String(theirs))}”, yours is “${isolated(String(mine))}”`;
    case "active":
      return `theirs is switched ${theirs ? "on" : "off"}, yours is switched ${mine ? "on" : "off"}`;
    case "rings":
      return `${FIELD_NAMES.rings}: theirs is dashed on the picture`;
  }
}

function hintOf({ isBusy, editing: { draft, chosen } }: ZoneSession): string {
  if (isBusy) return "Saving …";
  if (draft.isOpen) {
    return (draft.rings[0]?.length ?? 0) < FEWEST_CORNERS
      ? "Click on the picture for each corner, or use the arrow keys and Enter."
      : "Click for more corners, or on the first one to finish. By keys: arrows and Enter, then F.";
  }
  return chosen === undefined
    ? "Drag a corner, the handle of an edge for a new corner, or the zone itself."
    : "Drag the corner; Delete or a right click removes it.";
}
