import { html, svg, type TemplateResult } from "lit-html";
import { sparkPoints } from "../picture/spark.ts";

/** A small line over the whole width; the last value is on the right. */
export function sparkLine(values: readonly number[], label: string): TemplateResult {
  return html`<svg class="spark" viewBox="0 0 ${Math.max(1, values.length - 1)} 10" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${svg`<polyline vector-effect="non-scaling-stroke" points=${sparkPoints(values)} />`}
  </svg>`;
}
