// The form that makes a subscription.
import { html, nothing, type TemplateResult } from "lit-html";
import type { ApiError } from "../../data/errors.ts";
import type { SignalType } from "../../data/signal-body.ts";
import type { ChoiceFields } from "../choose/choice-fields.ts";
import { FormFaults, filterFields, inputField, selectField, shapeFields } from "./form.ts";

/** The choices on which further fields depend. */
export interface SubscriptionDraft {
  readonly mode: string;
  readonly signal_type: SignalType;
  readonly zone_emit_mode: string;
  readonly token: string;
}

export const NEW_SUBSCRIPTION: SubscriptionDraft = {
  mode: "streaming",
  signal_type: "track_state",
  zone_emit_mode: "all",
  token: "own",
};

export interface SubscriptionFormParts {
  readonly draft: SubscriptionDraft;
  readonly chooser: ChoiceFields;
  readonly error: ApiError | undefined;
  readonly isSending: boolean;
  readonly ownTokenId: string;
  readonly onDraft: (draft: SubscriptionDraft) => void;
  readonly onSend: (id: string, form: FormData) => void;
  readonly onCancel: () => void;
}

const MODES = [
  ["streaming", "Each signal at once"],
  ["batch", "Ended tracks together, every few seconds"],
] as const;
const STREAMED = [
  ["track_state", "Tracks: created, updated, expired"],
  ["zone_state", "Zones: occupied, updated, empty"],
  ["activity_chronicle", "Activities: created, updated, closed"],
] as const;
const TRIGGERS = [
  ["chronicle_created", "Created"],
  ["chronicle_updated", "Updated"],
  ["chronicle_closed", "Closed"],
] as const;

export const subscriptionForm = (parts: SubscriptionFormParts): TemplateResult => {
  const { draft, chooser, error, isSending, onDraft, onSend, onCancel } = parts;
  const faults = new FormFaults(error);
  const { mode, signal_type, zone_emit_mode } = draft;
  const signals = mode === "batch" ? STREAMED.slice(0, 1) : STREAMED;
  const changed = ({ currentTarget }: Event) => onDraft(draftOf(new FormData(currentTarget as HTMLFormElement)));
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending) return;
    const form = new FormData(event.target as HTMLFormElement);
    onSend(String(form.get("id") ?? "").trim(), form);
  };
  return html`<form class="rest card" @change=${changed} @submit=${send}>
    <div class="fields">
      ${inputField({ name: "id", label: "Id", isRequired: true, hint: "Yours to choose, for example gate", pointer: "#/path/id" }, faults)}
      ${inputField({ name: "webhook_url", label: "Address of the receiver", type: "url", isRequired: true, value: "https://" }, faults)}
      ${inputField({ name: "workflow_name", label: "Workflow", isRequired: true, hint: "Repeated in each delivery" }, faults)}
      ${inputField({ name: "workflow_id", label: "Workflow id (optional)" }, faults)}
      ${selectField({ name: "mode", label: "Deliveries", value: mode }, MODES, faults)}
      ${selectField({ name: "signal_type", label: "Signals", value: signal_type }, signals, faults)}
      ${shapeFields(mode, signal_type, zone_emit_mode, faults)}
    </div>
    ${signal_type === "activity_chronicle" ? triggerFields(faults) : nothing}
    ${filterFields({ signalType: signal_type, chooser, faults })} ${tokenFields(parts, faults)}
    ${faults.rest()}
    <div class="row">
      <button type="submit" class="main" aria-disabled=${isSending}>Create webhook</button>
      <button type="button" @click=${onCancel}>Cancel</button>
    </div>
  </form>`;
};

const triggerFields = (faults: FormFaults) =>
  html`<fieldset class="part">
    <legend>When an activity is …</legend>
    <div class="row">
      ${TRIGGERS.map(
        ([value, name]) =>
          html`<label><input type="checkbox" name="trigger_on" value=${value} checked /> ${name}</label>`,
      )}
    </div>
    ${faults.at("#/trigger_on")}
  </fieldset>`;

/** Signals are sent on behalf of a token: when it is revoked, they stop. */
function tokenFields({ draft, ownTokenId }: SubscriptionFormParts, faults: FormFaults) {
  const isOther = draft.token === "other";
  return html`<fieldset class="part">
    <legend>On behalf of</legend>
    <div class="row">
      <label><input type="radio" name="token" value="own" ?checked=${!isOther} /> this token (${ownTokenId})</label>
      <label><input type="radio" name="token" value="other" ?checked=${isOther} /> another token</label>
    </div>
    <p class="hint">Deliveries stop when the token is revoked. A token of its own outlives your session.</p>
    ${
      isOther
        ? html`<div class="fields">
            ${inputField({ name: "x_token_id", label: "Token id", isRequired: true, pointer: "#/credentials/x_token_id" }, faults)}
            ${inputField({ name: "x_token_value", label: "Token value", type: "password", isRequired: true, pointer: "#/credentials/x_token_value" }, faults)}
          </div>`
        : nothing
    }
    ${faults.at("#/credentials")}
  </fieldset>`;
}

function draftOf(form: FormData): SubscriptionDraft {
  const textOf = (name: string, other: string) => String(form.get(name) ?? other);
  const mode = textOf("mode", "streaming");
  const given = textOf("signal_type", "track_state") as SignalType;
  return {
    mode,
    // Batches have tracks alone.
    signal_type: mode === "batch" ? "track_state" : given,
    zone_emit_mode: textOf("zone_emit_mode", "all"),
    token: textOf("token", "own"),
  };
}
