// A replay session as far as a browser can follow it. Its signals go to the receiver alone.
import { html, nothing, type TemplateResult } from "lit-html";
import type { ReplaySession } from "../../data/rest-lists.ts";
import type { Times } from "../times.ts";

export interface ReplayCardParts {
  readonly times: Times;
  readonly mayWrite: boolean;
  readonly isBusy: boolean;
  readonly nameOfCamera: (id: string) => string;
  readonly onStep: (count: number) => void;
  readonly onEnd: () => void;
}

const STATES = {
  running: ["running", "busy"],
  paused: ["waits for a step", "quiet"],
  finished: ["finished", "good"],
  failed: ["failed", "bad"],
} as const;
const STEPS = [1, 10, 100] as const;

export const replayCard = (session: ReplaySession, parts: ReplayCardParts): TemplateResult => {
  const { id, state, reason, progress, last_error } = session;
  const [text, kind] = STATES[state];
  const percent = Math.round(progress * 100);
  return html`<section class="card replay" aria-label="Replay ${id}">
    <div class="row">
      <h2>${id}</h2>
      <span class="state-mark ${kind}">${text}</span>
      <span class="grow"></span>
      ${parts.mayWrite ? buttons(session, parts) : nothing}
    </div>
    <div class="row">
      <progress max="100" value=${percent} aria-label="Share of the recorded time"></progress>
      <span>${percent} %</span>
    </div>
    ${reason === null ? nothing : html`<p class="fault">${reason}</p>`}
    ${last_error === null ? nothing : html`<p class="fault">Last failed attempt: ${last_error}</p>`}
    <dl class="facts">${factsOf(session, parts)}</dl>
  </section>`;
};

/** There is no request that pauses a session; one that goes step by step waits after each of them. */
function buttons({ mode, state }: ReplaySession, { isBusy, onStep, onEnd }: ReplayCardParts) {
  const isOver = state === "finished" || state === "failed";
  const steps =
    mode === "manual" && !isOver
      ? STEPS.map(
          (count) =>
            html`<button type="button" ?disabled=${isBusy} @click=${() => onStep(count)}>
              ${count === 1 ? "Step" : `${count} steps`}
            </button>`,
        )
      : nothing;
  return html`${steps}
    <button type="button" ?disabled=${isBusy} @click=${onEnd}>${isOver ? "Forget" : "Stop"}</button>`;
}

function factsOf(session: ReplaySession, { times, nameOfCamera }: ReplayCardParts) {
  const { mode, speed, steps, steps_asked, position, log } = session;
  const facts: readonly (readonly [string, string | number])[] = [
    ["What", partText(session, times, nameOfCamera)],
    ["Pace", mode === "manual" ? `step by step, ${steps} of ${steps_asked ?? 0} steps` : speedText(speed)],
    [
      "Signals taken by the receiver",
      `${session.signals_sent} of ${session.signal_type}, in ${session.deliveries} deliveries`,
    ],
    ["Failed attempts", session.errors],
    ["Detections so far", steps],
    ...(position === null ? [] : [["Position", positionText(position, times)] as const]),
    ...(log === null
      ? []
      : [
          [
            "Read from",
            log === "topic" ? "the log, so signals equal those of then" : "the history, so signals are approximate",
          ] as const,
        ]),
    ["Receiver", session.webhook_url],
    ["Begun", times.full(Date.parse(session.created_at))],
    ...(session.ended_at === null ? [] : [["Ended", times.full(Date.parse(session.ended_at))] as const]),
  ];
  return facts.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value.toLocaleString()}</dd>`,
  );
}

const speedText = (speed: number | "max"): string =>
  speed === "max" ? "as fast as possible" : `${speed} times as recorded`;

const positionText = ({ partition, offset, timestamp }: NonNullable<ReplaySession["position"]>, times: Times): string =>
  `partition ${partition}, offset ${offset}${timestamp === null ? "" : `, ${times.full(Date.parse(timestamp))}`}`;

const MOST_NAMES = 5;

function partText(
  { track_ids, range, offsets }: ReplaySession,
  times: Times,
  nameOfCamera: (id: string) => string,
): string {
  const listed = (names: readonly string[]) =>
    names.length <= MOST_NAMES
      ? names.join(", ")
      : `${names.slice(0, MOST_NAMES).join(", ")} and ${names.length - MOST_NAMES} more`;
  if (range !== null) {
    const cameras = range.data_source_ids === null ? "sites" : listed(range.data_source_ids.map(nameOfCamera));
    return `${cameras}, ${times.full(Date.parse(range.from))} – ${times.full(Date.parse(range.to))}`;
  }
  if (offsets !== null)
    return listed(offsets.map(({ partition, from, to }) => `partition ${partition}, offsets ${from} to ${to}`));
  return `tracks ${listed(track_ids)}`;
}
