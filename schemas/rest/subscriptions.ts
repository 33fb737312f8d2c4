// The bodies of requests about subscriptions. Replays have the same members for the choice of signals.
import { z } from "zod";
import { defaultThresholds } from "../records/subscription.ts";
import { idMember, listOf, urlText } from "./pieces.ts";
import { filterTexts, signalTexts } from "./subscription-texts.ts";

const MAX_TEXT_LENGTH = 1_024;
const MAX_FILTER_VALUES = 1_000;
const MAX_LIMIT = 1_000;
const MAX_THRESHOLD = 10_000;
const DAY_S = 86_400;
const DEFAULT_HEARTBEAT_S = 30;

export const subscriptionModes = ["streaming", "batch"] as const;
export const signalTypes = ["track_state", "zone_state", "activity_chronicle"] as const;
export const zoneEmitModes = ["all", "composition"] as const;
export const chronicleSignals = ["chronicle_created", "chronicle_updated", "chronicle_closed"] as const;

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
  .describe("One more of `site_ids`; null and an empty text mean none");

const filters = z
  .strictObject({
    datasource_ids: ids.describe(filterTexts.datasource_ids),
    tags: texts.describe(filterTexts.tags),
    zone_ids: ids.describe(filterTexts.zone_ids),
    site_id: siteId,
    site_ids: ids.describe(filterTexts.site_ids),
    chronicle_ids: ids.describe(filterTexts.chronicle_ids),
    producer_ids: ids.describe(filterTexts.producer_ids),
    tag_ids: ids.describe(filterTexts.tag_ids),
    point_of_interest_ids: ids.describe(filterTexts.point_of_interest_ids),
    labels: texts.describe(filterTexts.labels),
    locations: texts.describe(filterTexts.locations),
    statuses: texts.describe(filterTexts.statuses),
    priorities: texts.describe(filterTexts.priorities),
  })
  .superRefine((given, context) => {
    if (Object.values(given).flat().length > MAX_FILTER_VALUES) {
      context.addIssue({ code: "custom", message: `at most ${MAX_FILTER_VALUES} values in all filters together` });
    }
  })
  .meta({
    id: "SignalFilters",
    description:
      "A signal must pass all filters. An empty list, like null, passes everything. " +
      "Filters without an effect on the signal type are refused, and so are members that are not listed here. " +
      `All lists together have at most ${MAX_FILTER_VALUES} values.`,
  });

export type FiltersBody = z.output<typeof filters>;

const threshold = (fallback: number) => optionalMember(z.number().min(0).max(MAX_THRESHOLD), fallback);

/** The members that choose the signals. `minInterval` is the shortest interval of a batch, in seconds. */
export const signalMembers = (minInterval: number) => ({
  filters: filters
    .nullish()
    .meta({ default: {} })
    .transform((given) => given ?? filters.parse({}))
    .describe("Choice of signals; null passes everything"),
  zone_emit_mode: optionalMember(z.enum(zoneEmitModes), "all").describe(
    `${signalTexts.zone_emit_mode}. composition needs the mode streaming and the signal type zone_state`,
  ),
  heartbeat_seconds: optionalMember(z.number().min(0).max(DAY_S), DEFAULT_HEARTBEAT_S)
    .transform((seconds) => (seconds === 0 ? DEFAULT_HEARTBEAT_S : seconds))
    .describe(`${signalTexts.heartbeat_seconds}; 0 means ${DEFAULT_HEARTBEAT_S}`),
  batch_interval: optionalMember(z.number().min(minInterval).max(300), 30).describe(signalTexts.batch_interval),
  pixel_proximity_threshold: threshold(defaultThresholds.pixels).describe(signalTexts.pixel_proximity_threshold),
  geo_proximity_threshold_m: threshold(defaultThresholds.metres).describe(signalTexts.geo_proximity_threshold_m),
  trigger_on: optionalMember(listOf(z.enum(chronicleSignals), MAX_FILTER_VALUES), [])
    .transform((signals) => (signals.length === 0 ? [...chronicleSignals] : [...new Set(signals)]))
    .describe(`${signalTexts.trigger_on}; an empty list means all three`),
});

export type SignalMembers = z.output<z.ZodObject<ReturnType<typeof signalMembers>>>;

/** The members that are checked together. */
export interface SubscriptionShape extends SignalMembers {
  readonly mode: (typeof subscriptionModes)[number];
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
  .describe(
    "Signs the deliveries (Standard Webhooks): whsec_ and 24 to 64 bytes in base64. " +
      "Left out, the service makes one; an existing subscription keeps its own",
  );

export const webhookUrl = urlText("http", "https").describe(
  "Address to which deliveries are POSTed. The operator must list one that leads to this machine or a private network",
);

export const workflowId = textMember.nullish().describe(signalTexts.workflow);

export const memberBounds =
  "Members that are not listed are ignored, except in `filters`, where they are refused. " +
  `All texts together have at most ${MAX_TEXTS_BYTES} bytes.`;

const credentials = z.object({
  x_token_id: textMember.describe("A token of this installation with the scope read; deliveries stop if it is revoked"),
  x_token_value: textMember.describe("Secret value of the token"),
  graphql_url: urlText("http", "https").nullish().describe("Checked and shown, never called"),
  ws_url: urlText("ws", "wss").nullish().describe("Checked and shown, never called"),
});

export const subscriptionBody = z
  .object({
    webhook_url: webhookUrl,
    workflow_name: textMember.describe(signalTexts.workflow),
    workflow_id: workflowId,
    mode: z.enum(subscriptionModes).describe(signalTexts.mode),
    signal_type: z
      .enum(signalTypes)
      .nullish()
      .describe(`${signalTexts.signal_type}. Needed in the mode streaming; track_state by default in batches`),
    credentials: credentials.describe("Token on whose behalf signals are sent"),
    webhook_secret: webhookSecret,
    ...signalMembers(10),
  })
  .superRefine(checkSubscriptionShape)
  .superRefine(checkTextBytes)
  .describe(memberBounds);

export type SubscriptionBody = z.output<typeof subscriptionBody>;

export const subscriptionsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(MAX_LIMIT).describe("Number of subscriptions in a page"),
  cursor: z
    .string()
    .max(1_000)
    .optional()
    .describe("`next_cursor` of the page before; without it the list begins with the first id"),
});

/** Headers of a request that creates or replaces a subscription. */
export const subscriptionConditions = z.object({
  "if-none-match": z
    .literal("*", "only * is known: subscriptions have no versions to compare")
    .optional()
    .describe("With `*` the request only creates: a subscription that exists stays as it is, and the answer is 412"),
});
