// The answers to requests about subscriptions.
import { z } from "zod";
import { isoTimeSchema } from "./pieces.ts";
import { filterTexts, signalTexts } from "./subscription-texts.ts";
import { chronicleSignals, signalTypes, subscriptionModes, zoneEmitModes } from "./subscriptions.ts";

const list = z.array(z.string());

const answerMembers = z.object({
  id: z.string().describe("Id that the caller chose, in the path of the POST"),
  webhook_url: z.string().describe("Address to which deliveries are POSTed"),
  workflow_name: z.string().describe(signalTexts.workflow),
  workflow_id: z.string().nullable().describe(`${signalTexts.workflow}; null when it was not given`),
  mode: z.enum(subscriptionModes).describe(signalTexts.mode),
  signal_type: z.enum(signalTypes).describe(signalTexts.signal_type),
  filters: z
    .object({
      datasource_ids: list.describe(filterTexts.datasource_ids),
      tags: list.describe(filterTexts.tags),
      zone_ids: list.describe(filterTexts.zone_ids),
      site_id: z.string().nullable().describe("The only one of `site_ids`; null when there are none or several"),
      site_ids: list.describe(filterTexts.site_ids),
      chronicle_ids: list.describe(filterTexts.chronicle_ids),
      producer_ids: list.describe(filterTexts.producer_ids),
      tag_ids: list.describe(filterTexts.tag_ids),
      point_of_interest_ids: list.describe(filterTexts.point_of_interest_ids),
      labels: list.describe(filterTexts.labels),
      locations: list.describe(filterTexts.locations),
      statuses: list.describe(filterTexts.statuses),
      priorities: list.describe(filterTexts.priorities),
    })
    .describe("A signal must pass all filters; an empty list passes everything"),
  zone_emit_mode: z.enum(zoneEmitModes).describe(signalTexts.zone_emit_mode),
  heartbeat_seconds: z.number().describe(signalTexts.heartbeat_seconds),
  batch_interval: z.number().describe(signalTexts.batch_interval),
  pixel_proximity_threshold: z.number().describe(signalTexts.pixel_proximity_threshold),
  geo_proximity_threshold_m: z.number().describe(signalTexts.geo_proximity_threshold_m),
  trigger_on: z.array(z.enum(chronicleSignals)).describe(signalTexts.trigger_on),
  credentials: z
    .object({
      graphql_url: z.string().nullable().describe("Never called; null when it was not given"),
      ws_url: z.string().nullable().describe("Never called; null when it was not given"),
      x_token_id: z.string().describe("Token on whose behalf signals are sent"),
      x_token_value: z.literal("********").describe("Masked: no answer shows the value"),
    })
    .describe("Token of the subscription"),
  status: z
    .enum(["active", "stopped"])
    .describe("stopped: nothing is sent until the next POST of the subscription, or a test that succeeds"),
  stopped_reason: z
    .enum(["gone", "failing", "token_revoked"])
    .nullable()
    .describe(
      "gone: the receiver answered 410. failing: too many attempts in a row failed. " +
        "token_revoked: its token was revoked, and only a POST with another token helps. null: it is active",
    ),
  stopped_detail: z.string().nullable().describe("The reason in words, for people; null while active"),
  stopped_at: isoTimeSchema.nullable().describe("Null while active"),
  created_at: isoTimeSchema.describe("Time of the creation; signals are about what was recorded after it"),
  updated_at: isoTimeSchema.describe("Time of the last POST or rotation of the secret"),
});

export const subscriptionAnswerSchema = answerMembers.meta({ id: "Subscription" });

export type SubscriptionAnswer = z.output<typeof subscriptionAnswerSchema>;

/** The answer to a creation. Besides rotate-secret, it is the only one with the secret. */
export const subscriptionCreated = answerMembers.extend({ secret: z.string().describe(signalTexts.secret) });

export const subscriptionsAnswer = z.object({
  subscriptions: z.array(subscriptionAnswerSchema).describe("Ordered by id"),
  next_cursor: z.string().nullable().describe("Leads to the next page; null on the last one"),
});

export const rotatedAnswer = z.object({
  secret: z.string().describe(signalTexts.secret),
  previous_valid_until: isoTimeSchema.describe(
    "End of the time in which deliveries are signed with the old secret as well",
  ),
});
