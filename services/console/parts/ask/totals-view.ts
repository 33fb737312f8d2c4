// Counts without times: a bar for each group.
import { html, type TemplateResult } from "lit-html";
import { distinctColours } from "../../picture/distinct-colours.ts";
import type { GroupTotal } from "../../questions/stacks.ts";
import { tagMark } from "../tag-mark.ts";

const MOST_GROUPS = 20;

/** Each bar is a meter, which is read out as well. */
export const totalsView = (totals: readonly GroupTotal[]): TemplateResult => {
  const shown = totals.slice(0, MOST_GROUPS);
  const colours = distinctColours(shown.map(({ name }) => name));
  const most = Math.max(1, ...shown.map(({ total }) => total));
  return html`<ul class="totals">
    ${shown.map(
      ({ name, total }, i) =>
        html`<li>
          <span>${tagMark(colours[i] ?? "")} ${name}</span>
          <meter min="0" max=${most} value=${total} aria-label=${name}></meter>
          <span class="number">${total.toLocaleString()}</span>
        </li>`,
    )}
  </ul>`;
};
