// The bodies of requests about subscriptions, and the answers. Replays have the same members for the choice of signals.
import { z } from "zod";
import { defaultThresholds } from "../records/subscription.ts";
import { idMember, isoTimeSchema, listOf, urlText } from "./pieces.ts";

const MAX_TEXT_LENGTH = 1_024;
const MAX_FILTER_VALUES = 1_000;
const MAX_LIMIT = 1_000;
const MAX_THRESHOLD = 10_000;
const DAY_S = 86_400;
const DEFAULT_HEARTBEAT_S = 30;

const modes = ["streaming", "batch"] as const;
const signalTypes = ["track_state", "zone_state", "activity_chronicle"] as const;
const emitModes = ["all", "composition"] as const;
const chronicleSignals = ["chronicle_created", "chronicle_updated", "chronicle_closed"] as const;

/** A member that callers may leave out, or set to null with the same effect. */
export function optionalMember<T extends z.ZodType>(schema: T, fallback: z.output<T> & z.core.util.JSONType) {
  return schema
    .nullish()
    .meta({ default: fallback })
    .transform((value): z.output<T> => value ?? fallback);
}

export const textMember = z
  .string()
  .min(1, "a text that is not empty")
  .max(MAX_TEXT_LENGTH)
  .refine((value) => value.isWellFormed(), "a text is well-formed Unicode");

const ids = optionalMember(listOf(idMember, MAX_FILTER_VALUES), []);
const texts = optionalMember(listOf(textMember, MAX_FILTER_VALUES), []);

/** Forms of workflow tools send "" for a field that nobody filled in. */
const siteId = z
  .string()
  .nullish()
  .transform((value) => (value === "" || value === null ? undefined : value))
  .pipe(idMember.optional())
  .meta({ description: "The same as site_ids with this one. An empty text is none" });

const filters = z
  .strictObject({
    datasource_ids: ids,
    tags: texts.meta({ description: "Compared without case" }),
    zone_ids: ids,
    site_id: siteId,
    site_ids: ids,
    chronicle_ids: ids,
    producer_ids: ids,
    tag_ids: ids,
    point_of_interest_ids: ids,
    labels: texts,
    locations: texts,
    statuses: texts,
    priorities: texts,
  })
  .superRefine((given, context) => {
    if (Object.values(given).flat().length > MAX_FILTER_VALUES) {
      context.addIssue({ code: "custom", message: `at most ${MAX_FILTER_VALUES} values in all filters together` });
    }
  })
  .meta({
    description:
      "An empty list lets everything through; several filters must all let a signal through. A member that is not listed here is refused: a misspelt filter would let everything through",
  });

export type FiltersBody = z.output<typeof filters>;

const threshold = (fallback: number) => optionalMember(z.number().min(0).max(MAX_THRESHOLD), fallback);

/** The members that choose the signals. `minInterval` is the shortest interval of a batch, in seconds. */
export const signalMembers = (minInterval: number) => ({
  filters: filters
    .nullish()
    .meta({ default: {} })
    .transform((given) => given ?? filters.parse({})),
  zone_emit_mode: optionalMember(z.enum(emitModes), "all"),
  heartbeat_seconds: optionalMember(z.number().min(0).max(DAY_S), DEFAULT_HEARTBEAT_S)
    .transform((seconds) => (seconds === 0 ? DEFAULT_HEARTBEAT_S : seconds))
    .meta({ description: "Of the zone_emit_mode composition. 0 means 30" }),
  batch_interval: optionalMember(z.number().min(minInterval).max(300), 30).meta({
    description: "Seconds, of batches",
  }),
  pixel_proximity_threshold: threshold(defaultThresholds.pixels).meta({
    description: "Pixels between boxes, of interactions in batches",
  }),
  geo_proximity_threshold_m: threshold(defaultThresholds.metres).meta({
    description: "Metres, of interactions in batches",
  }),
  trigger_on: optionalMember(listOf(z.enum(chronicleSignals), MAX_FILTER_VALUES), [])
    .transform((signals) => (signals.length === 0 ? [...chronicleSignals] : [...new Set(signals)]))
    .meta({ description: "Of activity_chronicle. None means all" }),
});

export type SignalMembers = z.output<z.ZodObject<ReturnType<typeof signalMembers>>>;

/** The members that are checked together. */
export interface SubscriptionShape extends SignalMembers {
  readonly mode: (typeof modes)[number];
  /** Only the signal type `track_state` has batches. */
  readonly signal_type?: (typeof signalTypes)[number] | null | undefined;
}

type FilterName = keyof FiltersBody;

const chronicleFilters: readonly FilterName[] = [
  "chronicle_ids",
  "producer_ids",
  "tag_ids",
  "point_of_interest_ids",
  "labels",
  "locations",
  "statuses",
  "priorities",
];

/** Filters that never have an effect on a signal type. They are refused, because their caller expects an effect. */
const ineffectiveFilters: Readonly<Record<(typeof signalTypes)[number], readonly FilterName[]>> = {
  track_state: ["zone_ids", ...chronicleFilters],
  zone_state: chronicleFilters,
  activity_chronicle: ["zone_ids", "tags"],
};

/** Refuses members that are valid one by one but not together. */
export function checkSubscriptionShape(shape: SubscriptionShape, context: z.RefinementCtx): void {
  const { mode, signal_type, zone_emit_mode } = shape;
  const refuse = (message: string, ...path: string[]) => context.addIssue({ code: "custom", path, message });
  if (mode === "streaming" && !signal_type) refuse("needed in the mode streaming", "signal_type");
  const type = signal_type ?? "track_state";
  if (mode === "batch" && type !== "track_state") refuse("the mode batch is for track_state only", "signal_type");
  if (zone_emit_mode === "composition" && !(mode === "streaming" && type === "zone_state")) {
    refuse("composition is for the mode streaming and the signal type zone_state only", "zone_emit_mode");
  }
  for (const name of ineffectiveFilters[type]) {
    if ((shape.filters[name]?.length ?? 0) > 0) refuse(`has no effect on ${type}`, "filters", name);
  }
}

/** Several processes keep these texts in memory, and each item of a batch repeats most of them. */
const MAX_TEXTS_BYTES = 64 * 1024;

/** Bounds the size of all texts of a body, because the body is kept. */
export function checkTextBytes(body: unknown, context: z.RefinementCtx): void {
  if (bytesOfTexts(body) <= MAX_TEXTS_BYTES) return;
  context.addIssue({ code: "custom", message: `all texts together have at most ${MAX_TEXTS_BYTES} bytes` });
}

function bytesOfTexts(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesOfTexts(each), 0);
}

const SECRET = /^whsec_[A-Za-z0-9+/]+={0,2}$/;
export const SECRET_PREFIX = "whsec_";

const isSecret = (value: string): boolean => {
  const encoded = value.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(encoded, "base64");
  return SECRET.test(value) && bytes.length >= 24 && bytes.length <= 64 && bytes.toString("base64") === encoded;
};

export const webhookSecret = z
  .string()
  .max(100)
  .refine(isSecret, "whsec_ and 24 to 64 bytes in base64")
  .nullish()
  .meta({ description: "Signs the deliveries; made by the service if it is left out" });

const credentials = z.object({
  x_token_id: textMember,
  x_token_value: textMember,
  graphql_url: urlText("http", "https").nullish(),
  ws_url: urlText("ws", "wss").nullish(),
});

export const subscriptionBody = z
  .object({
    webhook_url: urlText("http", "https"),
    workflow_name: textMember,
    workflow_id: textMember.nullish(),
    mode: z.enum(modes),
    signal_type: z.enum(signalTypes).nullish().meta({ description: "track_state by default in batches" }),
    credentials: credentials.meta({ description: "A token of this installation with the scope read" }),
    webhook_secret: webhookSecret,
    ...signalMembers(10),
  })
  .superRefine(checkSubscriptionShape)
  .superRefine(checkTextBytes)
  .meta({ description: "Members that are not listed are ignored, except in filters. All texts: at most 64 KiB" });

export type SubscriptionBody = z.output<typeof subscriptionBody>;

const list = z.array(z.string());

const answerMembers = z.object({
  id: z.string(),
  webhook_url: z.string(),
  workflow_name: z.string(),
  workflow_id: z.string().nullable(),
  mode: z.enum(modes),
  signal_type: z.enum(signalTypes),
  filters: z.object({
    datasource_ids: list,
    tags: list,
    zone_ids: list,
    site_id: z.string().nullable().meta({ description: "If there is just one" }),
    site_ids: list,
    chronicle_ids: list,
    producer_ids: list,
    tag_ids: list,
    point_of_interest_ids: list,
    labels: list,
    locations: list,
    statuses: list,
    priorities: list,
  }),
  zone_emit_mode: z.enum(emitModes),
  heartbeat_seconds: z.number(),
  batch_interval: z.number(),
  pixel_proximity_threshold: z.number(),
  geo_proximity_threshold_m: z.number(),
  trigger_on: z.array(z.enum(chronicleSignals)),
  credentials: z.object({
    graphql_url: z.string().nullable(),
    ws_url: z.string().nullable(),
    x_token_id: z.string(),
    x_token_value: z.literal("********").meta({ description: "Never shown" }),
  }),
  status: z.enum(["active", "stopped"]).meta({ description: "Nothing is delivered while it is stopped" }),
  stopped_reason: z.enum(["gone", "failing", "token_revoked"]).nullable(),
  stopped_detail: z.string().nullable(),
  stopped_at: isoTimeSchema.nullable(),
  created_at: isoTimeSchema,
  updated_at: isoTimeSchema,
});

export const subscriptionAnswerSchema = answerMembers.meta({ id: "Subscription" });

export type SubscriptionAnswer = z.output<typeof subscriptionAnswerSchema>;

/** The answer to a creation. Besides rotate-secret, it is the only one with the secret. */
export const subscriptionCreated = answerMembers.extend({
  secret: z.string().meta({ description: "Signs the deliveries (Standard Webhooks). It is not shown again" }),
});

export const subscriptionsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(MAX_LIMIT),
  cursor: z.string().max(1_000).optional(),
});

export const subscriptionsAnswer = z.object({
  subscriptions: z.array(subscriptionAnswerSchema),
  next_cursor: z.string().nullable().meta({ description: "null = there are no more" }),
});

export const rotatedAnswer = z.object({
  secret: z.string(),
  previous_valid_until: isoTimeSchema.meta({ description: "Until then deliveries are signed with both" }),
});
