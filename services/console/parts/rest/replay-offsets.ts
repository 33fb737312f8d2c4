// Partitions and offsets of a time, before a replay is begun.
import { html, type TemplateResult } from "lit-html";
import type { Requests } from "../../data/requests.ts";
import { timeOf } from "../../data/signal-body.ts";

interface OffsetsAnswer {
  readonly partition: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly log: "topic" | "history" | "none";
}

const TEXTS = {
  topic: "the log has them",
  history: "the log has lost some of them; the history has the detections",
  none: "no detection is known",
} as const;

export async function replayOffsets(
  rest: Requests["rest"],
  form: FormData,
  nameOfCamera: (id: string) => string,
  signal: AbortSignal,
): Promise<TemplateResult> {
  const [from, to] = ["from", "to"].map((name) => timeOf(form, name));
  const ids = form.getAll("data_source_ids").map(String);
  if (ids.length === 0) return html`<p class="hint">Choose a camera first.</p>`;
  const answers = await Promise.all(
    ids.map((id) => {
      const query = new URLSearchParams({ data_source_id: id, from: from ?? "", to: to ?? "" });
      return rest<OffsetsAnswer>("GET", `/api/replay/offsets?${query}`, undefined, signal);
    }),
  );
  return html`<ul class="hint">
    ${answers.map(({ partition, from: first, to: end, log }, i) => {
      const name = nameOfCamera(ids[i] ?? "");
      return html`<li>
        ${name}: ${first === null ? "" : `partition ${partition}, offsets ${first} to ${end}; `}${TEXTS[log]}
      </li>`;
    })}
  </ul>`;
}
