import { html, svg, type TemplateResult } from "lit-html";

/** A small line over the whole width; the last value is on the right. */
export function sparkLine(values: readonly number[], label: string): TemplateResult {
  return html`<svg class="spark" viewBox="0 0 ${Math.max(1, values.length - 1)} 10" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${svg`<polyline vector-effect="non-scaling-stroke" points=${sparkPoints(values)} />`}
  </svg>`;
}

/** The largest value is at the top (0), zero at the bottom (10). */
export function sparkPoints(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values.map((value, i) => `${i},${Number((10 - (10 * value) / most).toFixed(2))}`).join(" ");
}
