// A replay session: what it does, how far it is, and what one may do about it.
import { html, noChange, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { isHeld } from "../../data/replay-sessions.ts";
import type { ReplaySession } from "../../data/rest-lists.ts";
import { isolated } from "../../picture/isolated.ts";
import type { Times } from "../times.ts";
import { REPLAY_SPEEDS } from "./replay-form.ts";
import { steadyButton } from "./steady-button.ts";

export interface ReplayCardParts {
  readonly times: Times;
  readonly mayWrite: boolean;
  readonly isBusy: boolean;
  readonly nameOfCamera: (id: string) => string;
  /** The speed that was chosen, until the session has it. */
  readonly speed: string | undefined;
  /** Its signals, while they are shown. */
  readonly signals: TemplateResult | typeof nothing;
  readonly onSignals: () => void;
  readonly onStep: (count: number) => void;
  readonly onPause: () => void;
  readonly onResume: () => void;
  readonly onSpeed: (speed: string) => void;
  readonly onEnd: () => void;
}

const STATES = {
  running: ["running", "busy"],
  paused: ["paused", "quiet"],
  finished: ["finished", "good"],
  failed: ["failed", "bad"],
} as const;
const STEPS = [1, 10, 100] as const;

export const replayCard = (session: ReplaySession, parts: ReplayCardParts): TemplateResult => {
  const { id, state, reason, progress, last_error, signals } = session;
  const [text, kind] = STATES[state];
  const percent = Math.round(progress * 100);
  const isShown = parts.signals !== nothing;
  return html`<section class="card replay" aria-label="Replay ${id}">
    <div class="row">
      <h2><bdi>${id}</bdi></h2>
      <span class="state-mark ${kind}">${text}</span>
      <span class="grow"></span>
      ${parts.mayWrite ? buttons(session, parts) : nothing}
    </div>
    <div class="row reached">
      <progress max="100" value=${percent} aria-label="Share of the recorded time"></progress>
      <span>${percent} %</span>
    </div>
    ${reason === null ? nothing : html`<p class="fault">${reason}</p>`}
    ${last_error === null ? nothing : html`<p class="fault">Last failed attempt: ${last_error}</p>`}
    <details ?open=${session.ended_at === null || noChange}>
      <summary>${partText(session, parts.times, parts.nameOfCamera)}: ${signalsText(session)}</summary>
      <dl class="facts">${factsOf(session, parts)}</dl>
    </details>
    <div class="row">
      <button type="button" aria-expanded=${isShown} @click=${parts.onSignals}>
        ${isShown ? "Hide the signals" : `Show the signals (${signals.toLocaleString()})`}
      </button>
    </div>
    ${parts.signals}
  </section>`;
};

/** The same elements before and after a pause, and before and after the end, so that the focus stays. */
function buttons(session: ReplaySession, parts: ReplayCardParts) {
  const { isBusy, onStep, onPause, onResume, onEnd } = parts;
  const isOver = session.ended_at !== null;
  const button = (text: string, act: () => void, kind = "") => steadyButton({ text, act, isBusy, kind });
  const steps = () => STEPS.map((count) => button(count === 1 ? "Step" : `${count} steps`, () => onStep(count)));
  const pace = () =>
    html`${isHeld(session) ? steps() : nothing} ${speedSelect(session, parts)}
    ${isHeld(session) ? button("Resume", onResume, "main") : button("Pause", onPause, "main")}`;
  return html`${isOver ? nothing : pace()} ${button(isOver ? "Forget …" : "Stop …", onEnd)}`;
}

/** A speed that the list does not have came with the request of another client. */
function speedSelect({ id, speed }: ReplaySession, { speed: chosen, onSpeed }: ReplayCardParts) {
  const own = String(speed);
  const present = chosen ?? own;
  const isListed = REPLAY_SPEEDS.some(([value]) => value === own);
  const options = isListed ? REPLAY_SPEEDS : [[own, `${own} times`] as const, ...REPLAY_SPEEDS];
  const change = ({ currentTarget }: Event) => onSpeed((currentTarget as HTMLSelectElement).value);
  return html`<select aria-label="Speed of ${id}" .value=${live(present)} @change=${change}>
    ${options.map(([value, text]) => html`<option value=${value} ?selected=${value === present}>${text}</option>`)}
  </select>`;
}

function factsOf(session: ReplaySession, { times }: ReplayCardParts) {
  const { steps, steps_asked, position, log, webhook_url: receiver } = session;
  const facts: readonly (readonly [string, string | number])[] = [
    ["Pace", steps_asked === null ? speedText(session.speed) : `step by step, ${steps} of ${steps_asked} steps`],
    ["Receiver", receiver === "" ? "none, the signals are only shown here" : receiver],
    ...(receiver === "" ? [] : [["Failed attempts", session.errors] as const]),
    ["Detections so far", steps],
    ...(position === null ? [] : [["Position", positionText(position, times)] as const]),
    ...(log === null
      ? []
      : [
          [
            "Read from",
            log === "topic"
              ? "the log, so signals are identical to the original ones"
              : "the history, so signals are approximate",
          ] as const,
        ]),
    ["Started", times.full(Date.parse(session.created_at))],
    ...(session.ended_at === null ? [] : [["Ended", times.full(Date.parse(session.ended_at))] as const]),
  ];
  return facts.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value.toLocaleString()}</dd>`,
  );
}

function signalsText({ signals, signals_sent, signal_type, deliveries, webhook_url }: ReplaySession): string {
  const what = `signals of ${signal_type === "zone_state" ? "zones" : "tracks"}`;
  if (webhook_url === "") return `${signals.toLocaleString()} ${what}`;
  return `${signals_sent.toLocaleString()} ${what} accepted by the receiver, in ${deliveries.toLocaleString()} deliveries`;
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
  const listed = (all: readonly string[]) => {
    const names = all.slice(0, MOST_NAMES).map(isolated).join(", ");
    return all.length <= MOST_NAMES ? names : `${names} and ${all.length - MOST_NAMES} more`;
  };
  if (range !== null) {
    const cameras = range.data_source_ids === null ? "sites" : listed(range.data_source_ids.map(nameOfCamera));
    return `${cameras}, ${times.full(Date.parse(range.from))} – ${times.full(Date.parse(range.to))}`;
  }
  if (offsets !== null)
    return listed(offsets.map(({ partition, from, to }) => `partition ${partition}, offsets ${from} to ${to}`));
  return `tracks ${listed(track_ids)}`;
}
