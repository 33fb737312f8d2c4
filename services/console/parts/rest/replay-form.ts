// The form that begins a replay: what is replayed, how, and where its signals go.
import { html, nothing, type TemplateResult } from "lit-html";
import { MINUTE_MS } from "../../../../schemas/units.ts";
import type { ApiError } from "../../data/errors.ts";
import { filledTime, type ReplayPart, type SignalType } from "../../data/signal-body.ts";
import { isTime } from "../../questions/times-of.ts";
import type { ChoiceFields } from "../choose/choice-fields.ts";
import { localTime } from "../time-input.ts";
import { FormFaults, filterFields, inputField, linesField, selectField, shapeFields } from "./form.ts";

/** The choices on which further fields depend, and what the address asked for. */
export interface ReplayDraft {
  readonly part: ReplayPart;
  readonly mode: string;
  readonly processing: string;
  readonly signal_type: SignalType;
  readonly zone_emit_mode: string;
  readonly to_receiver: string;
  readonly tracks: readonly string[];
  readonly cameras: readonly string[];
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

export interface ReplayFormParts {
  readonly draft: ReplayDraft;
  readonly chooser: ChoiceFields;
  readonly error: ApiError | undefined;
  readonly isSending: boolean;
  readonly suggestedId: string;
  /** Offsets of the chosen time, once they are known. */
  readonly offsets: TemplateResult | typeof nothing;
  readonly onDraft: (draft: ReplayDraft) => void;
  readonly onOffsets: (form: FormData) => void;
  readonly onSend: (id: string, form: FormData) => void;
  readonly onCancel: () => void;
}

/** @param now is the end of the time that is suggested. */
export function replayDraftOf(query: URLSearchParams, now: number): ReplayDraft {
  const tracks = query.getAll("tracks").flatMap((text) => text.split(",").filter((id) => id !== ""));
  const timeOf = (name: string, other: number) => {
    const ms = Date.parse(query.get(name) ?? "");
    return isTime(ms) ? ms : other;
  };
  return {
    part: tracks.length > 0 ? "track_ids" : "range",
    mode: "auto",
    processing: "streaming",
    signal_type: "track_state",
    zone_emit_mode: "all",
    to_receiver: "no",
    tracks,
    cameras: query.getAll("dataSource"),
    from: timeOf("from", now - 10 * MINUTE_MS),
    to: timeOf("to", now),
  };
}

const PARTS = [
  ["range", "A time of cameras"],
  ["track_ids", "Tracks"],
  ["offsets", "Offsets of the log"],
] as const;
const MODES = [
  ["auto", "At the recorded pace, times a speed"],
  ["manual", "Step by step"],
] as const;
export const REPLAY_SPEEDS = [
  ["0.5", "Half"],
  ["1", "As recorded"],
  ["2", "Twice"],
  ["10", "10 times"],
  ["100", "100 times"],
  ["max", "As fast as possible"],
] as const;
const RECEIVERS = [
  ["no", "This page alone"],
  ["yes", "A receiver"],
] as const;
const SIGNALS = [
  ["track_state", "Tracks"],
  ["zone_state", "Zones"],
] as const;
const DELIVERIES = [
  ["streaming", "Each signal at once"],
  ["batch", "Ended tracks in batches"],
] as const;
const ZONES = [
  ["then", "As they were then"],
  ["now", "As they are now"],
] as const;

export const replayForm = (parts: ReplayFormParts): TemplateResult => {
  const { draft, chooser, error, isSending, onDraft, onSend, onCancel } = parts;
  const faults = new FormFaults(error);
  const { mode, processing, signal_type, zone_emit_mode } = draft;
  const changed = ({ currentTarget }: Event) =>
    onDraft(changedDraft(draft, new FormData(currentTarget as HTMLFormElement)));
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    const form = new FormData(event.target as HTMLFormElement);
    onSend(String(form.get("id") ?? "").trim(), form);
  };
  return html`<form class="rest card" @change=${changed} @submit=${send}>
    <fieldset class="part">
      <legend>What</legend>
      <div class="fields">${selectField({ name: "part", label: "Part of the log", value: draft.part }, PARTS, faults)}</div>
      <div class="fields">${partFields(parts, faults)}</div>
      <div role="status">${parts.offsets}</div>
    </fieldset>
    <fieldset class="part">
      <legend>How</legend>
      <div class="fields">
        ${selectField({ name: "mode", label: "Pace", value: mode }, MODES, faults)}
        ${mode === "auto" ? selectField({ name: "speed", label: "Speed", value: "1" }, REPLAY_SPEEDS, faults) : nothing}
        ${selectField({ name: "zones", label: "Zones", value: "then" }, ZONES, faults)}
        ${selectField({ name: "processing_mode", label: "Deliveries", value: processing }, DELIVERIES, faults)}
        ${selectField({ name: "signal_type", label: "Signals", value: signal_type }, processing === "batch" ? SIGNALS.slice(0, 1) : SIGNALS, faults)}
        ${shapeFields(processing, signal_type, zone_emit_mode, faults)}
      </div>
      <details>
        <summary>Override the original settings</summary>
        <div class="fields">${settingFields(faults)}</div>
      </details>
    </fieldset>
    <fieldset class="part">
      <legend>Where to</legend>
      <div class="fields">
        ${selectField({ name: "to_receiver", label: "The signals go to", value: draft.to_receiver }, RECEIVERS, faults)}
        ${draft.to_receiver === "yes" ? inputField({ name: "webhook_url", label: "Address of the receiver", type: "url", isRequired: true, value: "https://" }, faults) : nothing}
        ${inputField({ name: "id", label: "Id of the session", isRequired: true, value: parts.suggestedId, pointer: "#/path/id" }, faults)}
      </div>
    </fieldset>
    ${filterFields({ signalType: signal_type, chooser, faults, without: draft.part === "range" ? ["datasource_ids"] : [], first: draft.cameras })} ${faults.rest()}
    <div class="row">
      <button type="submit" class="main" aria-disabled=${isSending}>Begin</button>
      <button type="button" @click=${onCancel}>Cancel</button>
    </div>
  </form>`;
};

function partFields(parts: ReplayFormParts, faults: FormFaults) {
  const { draft } = parts;
  switch (draft.part) {
    case "track_ids": {
      const value = draft.tracks.join("\n");
      const hint = "One on each line, 100 at most. Two cameras may have tracks of one id: choose the camera below.";
      return linesField({ name: "track_ids", label: "Ids of tracks", value, hint }, faults);
    }
    case "offsets":
      return OFFSETS.map(([name, label, member]) => {
        const pointer = `#/offsets/0/${member}`;
        return inputField({ name, label, type: "number", isRequired: true, min: 0, pointer }, faults);
      });
    case "range":
      return rangeFields(parts, faults);
    default:
      return draft.part satisfies never;
  }
}

const OFFSETS = [
  ["partition", "Partition", "partition"],
  ["from_offset", "First offset", "from"],
  ["to_offset", "Offset after the last one", "to"],
] as const;

function rangeFields({ draft, chooser, onOffsets }: ReplayFormParts, faults: FormFaults) {
  const find = ({ currentTarget }: Event) => {
    const { form } = currentTarget as HTMLButtonElement;
    if (form !== null) onOffsets(new FormData(form));
  };
  const timeField = (name: "from" | "to", label: string) => {
    const value = localTime(draft[name]);
    const pointer = `#/range/${name}`;
    return html`${inputField({ name, label, type: "datetime-local", value, isRequired: true, pointer }, faults)}
      <input type="hidden" name="${name}_filled" value=${filledTime(value, draft[name])} />`;
  };
  return [
    timeField("from", "From"),
    timeField("to", "To"),
    chooser.held({
      kind: "cameras",
      name: "data_source_ids",
      label: "Cameras",
      first: draft.cameras,
      fault: faults.at("#/range/data_source_ids"),
    }),
    html`<p><button type="button" @click=${find}>Find the offsets</button></p>`,
  ];
}

const SETTINGS = [
  ["track_ttl", "Seconds until a track expires"],
  ["reorder_ms", "Milliseconds of reordering"],
  ["intersection_update_ms", "Milliseconds between updates of a stay"],
  ["exit_delay", "Seconds outside until a track has left"],
  ["enter_detections", "Detections inside until a track has entered"],
] as const;

const settingFields = (faults: FormFaults) =>
  SETTINGS.map(([name, label]) => inputField({ name, label, type: "number", pointer: `#/settings/${name}` }, faults));

function changedDraft(draft: ReplayDraft, form: FormData): ReplayDraft {
  const textOf = (name: string, other: string) => String(form.get(name) ?? other);
  const processing = textOf("processing_mode", draft.processing);
  return {
    ...draft,
    part: textOf("part", draft.part) as ReplayPart,
    mode: textOf("mode", draft.mode),
    processing,
    // Batches have tracks alone.
    signal_type: (processing === "batch" ? "track_state" : textOf("signal_type", draft.signal_type)) as SignalType,
    zone_emit_mode: textOf("zone_emit_mode", draft.zone_emit_mode),
    to_receiver: textOf("to_receiver", draft.to_receiver),
  };
}
