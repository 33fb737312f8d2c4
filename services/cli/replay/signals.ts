// The signals that a run asks for, in the form of subscriptions: the same checks as for a session, and the same fold.
import { z } from "zod";
import { signalSettings } from "../../../projections/webhooks/subscriptions/settings.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { checkSubscriptionShape, type SubscriptionShape, signalMembers } from "../../../schemas/rest/subscriptions.ts";

/** The options of the command line, as texts. */
export interface SignalOptions {
  readonly signals?: string | undefined;
  readonly batch?: string | undefined;
  readonly pixels?: string | undefined;
  readonly metres?: string | undefined;
  readonly tag: readonly string[];
  readonly zone: readonly string[];
  readonly site: readonly string[];
  readonly "emit-mode"?: string | undefined;
  readonly heartbeat?: string | undefined;
}

const TYPES = ["track_state", "zone_state"] as const;
const LEAST_INTERVAL_S = 1;
const NUMBER = /^\d{1,9}(\.\d+)?$/;

const { trigger_on: _ofChronicles, ...members } = signalMembers(LEAST_INTERVAL_S);

const shape = z
  .object({ mode: z.enum(["streaming", "batch"]), signal_type: z.enum(TYPES), ...members })
  .transform((given): SubscriptionShape => ({ ...given, trigger_on: [] }))
  .superRefine(checkSubscriptionShape);

/** The options of the members that a fault may name. */
const optionOf: Readonly<Record<string, string>> = {
  signal_type: "--signals",
  batch_interval: "--batch",
  pixel_proximity_threshold: "--pixels",
  geo_proximity_threshold_m: "--metres",
  tags: "--tag",
  zone_ids: "--zone",
  site_ids: "--site",
  zone_emit_mode: "--emit-mode",
  heartbeat_seconds: "--heartbeat",
};

export const hasSignalOptions = (options: SignalOptions): boolean =>
  [options.signals, options.batch, options.pixels, options.metres, options["emit-mode"], options.heartbeat].some(
    (each) => each !== undefined,
  ) || [options.tag, options.zone, options.site].some(({ length }) => length > 0);

/** Throws with a sentence about the first fault. */
export function shapesOf(options: SignalOptions): readonly SubscriptionShape[] {
  const types = typesOf(options);
  return types.map((type) => {
    // An option that concerns zones only is no fault as long as zones are asked for, too.
    const isForZones = type === "zone_state" || !types.includes("zone_state");
    const parsed = shape.safeParse({
      mode: options.batch === undefined ? "streaming" : "batch",
      signal_type: type,
      filters: { tags: options.tag, site_ids: options.site, zone_ids: isForZones ? options.zone : [] },
      zone_emit_mode: isForZones ? options["emit-mode"] : undefined,
      heartbeat_seconds: numberOf("--heartbeat", options.heartbeat),
      batch_interval: numberOf("--batch", options.batch),
      pixel_proximity_threshold: numberOf("--pixels", options.pixels),
      geo_proximity_threshold_m: numberOf("--metres", options.metres),
    });
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const member = issue?.path.findLast((step) => typeof step === "string" && Object.hasOwn(optionOf, step));
    throw new Error(`${optionOf[String(member)] ?? "The signals"}: ${issue?.message}`);
  });
}

function typesOf({ signals, batch }: SignalOptions): readonly (typeof TYPES)[number][] {
  if (signals === undefined) return batch === undefined ? TYPES : ["track_state"];
  const given = signals.split(",").map((each) => each.trim());
  const types = TYPES.filter((type) => given.includes(type));
  if (types.length !== new Set(given).size) throw new Error(`--signals takes ${TYPES.join(" and ")}`);
  return types;
}

function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!NUMBER.test(text)) throw new Error(`${option} needs a number`);
  return Number(text);
}

/** `version` names the run: it is in the ids of all signals. */
export const askedSubscription = (asked: SubscriptionShape, version: string, webhookUrl: string): SubscriptionSet => ({
  ...signalSettings(asked),
  key: `${version} ${asked.signal_type}`,
  version,
  webhookUrl,
  workflowName: "replay",
  workflowId: null,
  graphqlUrl: null,
  wsUrl: null,
  tokenId: "",
  tokenValue: "",
  secrets: [],
  // The subscription covers everything, however long ago it was recorded.
  createdAt: 0,
  updatedAt: 0,
  deleted: false,
});
