// One zone while it is drawn or changed: its steps, what others changed meanwhile, and how it is saved.
import type { Asks } from "../data/asks.ts";
import { ApiError, shownError } from "../data/errors.ts";
import {
  changedFields,
  contentOf,
  FIELD_NAMES,
  merged,
  type OwnChange,
  patchOf,
  polygonOf,
  withFields,
  type ZoneContent,
  type ZoneField,
  type ZoneRecord,
} from "../data/zone-record.ts";
import { askZone, newZoneId, sendNewZone, sendZoneDeletion, sendZonePatch } from "../data/zone-requests.ts";
import { beginEditing, type EditAction, type Editing, edit, NEW_DRAFT } from "../picture/edit/draft.ts";
import { type DraftFlaw, flawOfDraft } from "../picture/edit/flaws.ts";
import { wordsOf } from "../picture/edit/words.ts";
import { isolated } from "../picture/isolated.ts";

export interface SessionParts {
  readonly requests: Asks;
  readonly dataSourceId: string;
  readonly onChange: () => void;
  /**
   * @param words what has become of the zone.
   * @param change undefined when nothing was saved.
   */
  readonly onEnd: (words: string, change?: OwnChange) => void;
}

/** A change by somebody else that the user has not answered yet. */
export type Theirs =
  | {
      readonly is: "changed";
      readonly content: ZoneContent;
      readonly at: string | null;
      readonly fields: readonly ZoneField[];
    }
  | { readonly is: "deleted" };

/** `delete changed` once somebody else has changed what was to be deleted. */
export type ZoneQuestion = "discard" | "delete" | "delete changed";

const ATTEMPTS = 5;

export class ZoneSession {
  readonly #parts: SessionParts;
  #id: string;
  /** The zone as it was when the user began, or as somebody else changed it since; undefined for a new one. */
  #base: ZoneRecord | undefined;
  #editing: Editing;
  #flawed: { readonly editing: Editing; readonly flaw: DraftFlaw | undefined } | undefined;
  #name: string;
  #isActive: boolean;
  readonly #newName: string;
  theirs: Theirs | undefined;
  /** The step that the user must confirm. */
  question: ZoneQuestion | undefined;
  /** The version that the user has agreed to delete. */
  #agreed: ZoneRecord | undefined;
  /** Why it was not saved. */
  problem: string | undefined;
  /** For the live region. */
  said = "";
  isBusy = false;

  /** @param base undefined for a new zone. */
  constructor(base: ZoneRecord | undefined, newName: string, parts: SessionParts) {
    const content = base === undefined ? { name: newName, active: true, rings: NEW_DRAFT.rings } : contentOf(base);
    this.#parts = parts;
    this.#id = base?.id ?? newZoneId();
    this.#base = base;
    this.#editing = beginEditing(base === undefined ? NEW_DRAFT : { rings: content.rings, isOpen: false });
    this.#name = content.name;
    this.#isActive = content.active;
    this.#newName = newName;
  }

  get id(): string {
    return this.#id;
  }

  get editing(): Editing {
    return this.#editing;
  }

  get isNew(): boolean {
    return this.#base === undefined;
  }

  get content(): ZoneContent {
    return { name: this.#name.trim(), active: this.#isActive, rings: this.#editing.draft.rings };
  }

  get version(): string | null | undefined {
    return this.#base?.updatedAt;
  }

  get isChanged(): boolean {
    const { name, rings } = this.content;
    if (this.#base === undefined) return rings.flat().length > 0 || name !== this.#newName;
    return changedFields(contentOf(this.#base), this.content).length > 0;
  }

  /** Computed once for each step. */
  get flaw(): DraftFlaw | undefined {
    if (this.#flawed?.editing.draft !== this.#editing.draft) {
      this.#flawed = { editing: this.#editing, flaw: flawOfDraft(this.#editing.draft) };
    }
    return this.#flawed?.flaw;
  }

  apply(action: EditAction): void {
    if (this.isBusy) return;
    const before = this.#editing;
    const hadFlaw = this.flaw;
    this.#editing = edit(before, action);
    this.problem = undefined;
    const words = wordsOf(action, before, this.#editing);
    const warning = this.flaw !== undefined && this.flaw.text !== hadFlaw?.text ? ` ${this.flaw.text}` : "";
    this.say(words + warning);
  }

  say(words: string): void {
    if (words !== "") this.said = words;
    this.#parts.onChange();
  }

  set name(name: string) {
    this.#name = name;
    this.problem = undefined;
    this.#parts.onChange();
  }

  get name(): string {
    return this.#name;
  }

  set isActive(isActive: boolean) {
    this.#isActive = isActive;
    this.#parts.onChange();
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  ask(question: ZoneQuestion | undefined): void {
    this.question = question;
    this.#agreed = this.#base;
    this.#parts.onChange();
  }

  /** Ends without saving; asks first if something would be lost. */
  cancel(): void {
    if (this.isBusy) return;
    if (this.isChanged) this.ask("discard");
    else this.giveUp();
  }

  giveUp(): void {
    this.#parts.onEnd("Nothing was saved.");
  }

  /** The zone as it is now; undefined when it was deleted. */
  noticed(now: ZoneRecord | undefined): void {
    const base = this.#base;
    if (base === undefined) return;
    if (now === undefined) this.theirs = { is: "deleted" };
    else if (isNewer(now, base)) this.#merge(base, now);
    this.#parts.onChange();
  }

  #merge(base: ZoneRecord, now: ZoneRecord): void {
    const theirs = contentOf(now);
    const { content, taken, conflicts } = merged(contentOf(base), this.content, theirs);
    const open = this.theirs?.is === "changed" ? this.theirs.fields : [];
    const fields = changedFields(content, theirs).filter((field) => conflicts.includes(field) || open.includes(field));
    this.#base = now;
    this.theirs = fields.length === 0 ? undefined : { is: "changed", content: theirs, at: now.updatedAt, fields };
    this.#show(content, taken);
    if (fields.length > 0)
      this.said = `Somebody else changed the ${namesOf(fields)} of this zone. Choose which one stays.`;
    else if (taken.length > 0) this.said = `Somebody else changed the ${namesOf(taken)} of this zone. You see it now.`;
  }

  /** Shows other values of these fields. */
  #show(content: ZoneContent, fields: readonly ZoneField[]): void {
    if (fields.includes("name")) this.#name = content.name;
    if (fields.includes("active")) this.#isActive = content.active;
    if (fields.includes("rings")) this.#editing = beginEditing({ rings: content.rings, isOpen: false });
  }

  /** Gives up what the user changed where somebody else did, too. */
  keepTheirs(): void {
    if (this.theirs?.is !== "changed") return;
    const { content, fields } = this.theirs;
    const { name, active, rings } = withFields(this.content, content, fields);
    this.#name = name;
    this.#isActive = active;
    if (fields.includes("rings")) {
      this.#editing = edit(this.#editing, { type: "replace", draft: { rings, isOpen: false } });
    }
    this.theirs = undefined;
    this.say(`You see the other ${namesOf(fields)} now. Undo brings your boundary back.`);
  }

  /** Writes the user's values over those that somebody else has saved; a zone that was deleted is created again. */
  async keepMine(): Promise<void> {
    if (this.theirs?.is === "deleted") {
      this.#base = undefined;
      this.#id = newZoneId();
    }
    this.theirs = undefined;
    await this.save();
  }

  async save(): Promise<void> {
    if (this.isBusy || this.theirs !== undefined) return;
    if (this.#editing.draft.isOpen) this.apply({ type: "finish" });
    this.problem = this.#refusal();
    if (this.problem !== undefined) return this.#parts.onChange();
    await this.#working(() => (this.#base === undefined ? this.#create() : this.#update()));
  }

  #refusal(): string | undefined {
    if (this.#editing.draft.isOpen) return "A zone needs at least three corners.";
    if (this.content.name === "") return "A zone needs a name.";
    return this.flaw?.text;
  }

  async #create(): Promise<void> {
    const { requests, dataSourceId } = this.#parts;
    const { name, active, rings } = this.content;
    const zone = { id: this.#id, dataSourceId, name, active, polygon: polygonOf(rings) };
    // An earlier attempt, whose answer was lost, may have created it as it was then.
    this.#base = await sendNewZone(requests, zone);
    await this.#update();
  }

  /** Reads the zone again before each attempt, so that a change by somebody else is seen and not overwritten. */
  async #update(): Promise<void> {
    const { requests, onEnd } = this.#parts;
    for (let attempt = 1; ; attempt++) {
      this.noticed(await askZone(requests, this.#id));
      if (this.theirs !== undefined || this.#base === undefined) return;
      const patch = patchOf(this.#base, this.content);
      try {
        const isSame = Object.keys(patch).length === 0;
        const zone = isSame ? this.#base : await sendZonePatch(requests, this.#base, patch);
        onEnd(`Zone “${isolated(this.content.name)}” is saved.`, { id: zone.id, zone });
        return;
      } catch (error) {
        // Somebody else was quicker by a moment.
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Reads the zone again: it may be another one than that of which the user was asked. */
  async remove(): Promise<void> {
    await this.#working(async () => {
      const { requests } = this.#parts;
      const now = await askZone(requests, this.#id);
      const changed =
        now !== undefined && isNewer(now, this.#agreed ?? now) ? now : now && (await this.#deleteUnlessChanged(now));
      if (changed === undefined)
        return this.#parts.onEnd(`Zone “${isolated(this.content.name)}” is deleted.`, {
          id: this.#id,
          zone: undefined,
        });
      this.noticed(changed);
      this.ask("delete changed");
    }, "Not deleted");
  }

  /** @returns the zone when somebody else was quicker by a moment, and it still exists. */
  async #deleteUnlessChanged(zone: ZoneRecord): Promise<ZoneRecord | undefined> {
    const { requests } = this.#parts;
    try {
      await sendZoneDeletion(requests, zone);
      return undefined;
    } catch (error) {
      if (isConflict(error)) return askZone(requests, this.#id);
      throw error;
    }
  }

  async #working(work: () => Promise<void>, failure = "Not saved"): Promise<void> {
    [this.isBusy, this.problem, this.question] = [true, undefined, undefined];
    this.#parts.onChange();
    try {
      await work();
    } catch (error) {
      this.problem = `${failure}: ${shownError(error).message}`;
    } finally {
      this.isBusy = false;
      this.#parts.onChange();
    }
  }
}

/** An answer that was long on its way must not bring back what has been. */
const isNewer = (a: ZoneRecord, b: ZoneRecord): boolean =>
  Date.parse(a.updatedAt ?? "") > Date.parse(b.updatedAt ?? "");

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === "CONFLICT";

const namesOf = (fields: readonly ZoneField[]): string => fields.map((field) => FIELD_NAMES[field]).join(" and the ");
