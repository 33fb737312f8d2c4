// Long lists are shown in steps: a page would become slow with all of a crowd.
import { html, nothing, type TemplateResult } from "lit-html";

const STEP = 20;

export class ShownRows {
  readonly #redraw: () => void;
  readonly #counts = new Map<string, number>();

  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  /** Returns those that are shown of the list with this key. */
  of<Row>(key: string, rows: readonly Row[]): readonly Row[] {
    return rows.slice(0, this.#shown(key));
  }

  /** The last entry of the list: a button that shows more. */
  more(key: string, count: number): TemplateResult | typeof nothing {
    const shown = this.#shown(key);
    if (count <= shown) return nothing;
    const show = ({ currentTarget }: Event) => {
      const list = (currentTarget as Element).closest("ul");
      this.#counts.set(key, shown + STEP);
      this.#redraw();
      // After the drawing of this frame, the first of the new rows is where the button was.
      requestAnimationFrame(() => list?.querySelectorAll<HTMLElement>("li > :is(a, button)")[shown]?.focus());
    };
    return html`<li><button type="button" class="quiet more" @click=${show}>and ${count - shown} more</button></li>`;
  }

  #shown(key: string): number {
    return this.#counts.get(key) ?? STEP;
  }
}
