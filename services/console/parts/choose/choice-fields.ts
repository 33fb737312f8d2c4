// The fields of a page in which objects are chosen, and the names of those that are.
import type { TemplateResult } from "lit-html";
import { ChoiceNames } from "../../data/choice-names.ts";
import type { ChoiceKind } from "../../questions/choice-kinds.ts";
import { ChoiceField, type ChoiceParts, type ChoiceSource } from "./choice-field.ts";

interface FieldParts extends ChoiceParts {
  readonly kind: ChoiceKind;
}

interface HeldParts extends Omit<FieldParts, "values" | "onValues" | "isOfForm"> {
  /** The values before anybody chooses. */
  readonly first?: readonly string[];
}

export class ChoiceFields {
  readonly #source: ChoiceSource;
  readonly #names: ChoiceNames;
  readonly #fields = new Map<string, ChoiceField>();
  readonly #held = new Map<string, readonly string[]>();

  constructor(source: ChoiceSource) {
    this.#source = source;
    this.#names = new ChoiceNames(source.ask, source.redraw);
  }

  nameOf(kind: ChoiceKind, value: string): string {
    return this.#names.nameOf(kind, value);
  }

  /** A field whose values the page keeps. */
  view({ kind, ...parts }: FieldParts): TemplateResult {
    const key = `${kind} ${parts.name}`;
    const field = this.#fields.get(key) ?? new ChoiceField(this.#source, kind, this.#names);
    this.#fields.set(key, field);
    return field.view(parts);
  }

  /** A field of a form, which has its values under the name. */
  held({ first = [], ...parts }: HeldParts): TemplateResult {
    const { name } = parts;
    const values = this.#held.get(name) ?? first;
    const onValues = (next: readonly string[]) => {
      this.#held.set(name, next);
      this.#source.redraw();
    };
    return this.view({ ...parts, values, isOfForm: true, onValues });
  }

  /** The form begins anew. */
  clear(): void {
    this.#held.clear();
  }

  stop(): void {
    this.#names.stop();
    for (const field of this.#fields.values()) field.stop();
  }
}
