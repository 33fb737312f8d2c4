// The bodies of requests about replay sessions, and the answers.
import { z } from "zod";
import { idMember, isoTimeSchema, urlText } from "./pieces.ts";
import {
  checkSubscriptionShape,
  checkTextBytes,
  optionalMember,
  signalMembers,
  textMember,
  webhookSecret,
} from "./subscriptions.ts";

const modes = ["auto", "manual"] as const;
const processingModes = ["streaming", "batch"] as const;
const signalTypes = ["track_state", "zone_state"] as const;
const states = ["running", "paused", "finished", "failed"] as const;
const logs = ["topic", "history"] as const;

const MAX_STEPS = 10_000;
const LEAST_INTERVAL_S = 1;

const { trigger_on: _ofChronicles, ...members } = signalMembers(LEAST_INTERVAL_S);

export const replayBody = (maxTracks: number) =>
  z
    .object({
      track_ids: z
        .array(idMember)
        .min(1)
        .max(maxTracks)
        .transform((ids) => [...new Set(ids)]),
      mode: z.enum(modes).meta({ description: "auto: paced as recorded; manual: one detection for each step" }),
      speed: optionalMember(z.union([z.number().min(0.1).max(1_000), z.literal("max")]), 1).meta({
        description: "Of the mode auto; max does not wait at all",
      }),
      processing_mode: optionalMember(z.enum(processingModes), "streaming"),
      signal_type: optionalMember(z.enum(signalTypes), "track_state"),
      webhook_url: urlText("http", "https"),
      webhook_secret: webhookSecret,
      workflow_name: optionalMember(textMember, "replay"),
      workflow_id: textMember.nullish(),
      ...members,
    })
    .superRefine((body, context) =>
      checkSubscriptionShape({ ...body, mode: body.processing_mode, trigger_on: [] }, context),
    )
    .superRefine(checkTextBytes)
    .meta({ description: "Members that are not listed are ignored, except in filters. All texts: at most 64 KiB" });

export type ReplayBody = z.output<ReturnType<typeof replayBody>>;

export const stepBody = z
  .object({ count: optionalMember(z.int().min(1).max(MAX_STEPS), 1) })
  .nullish()
  .transform((body) => body ?? { count: 1 });

export const replayAnswer = z.object({
  id: z.string(),
  state: z.enum(states),
  reason: z.string().nullable().meta({ description: "Why it failed" }),
  track_ids: z.array(z.string()),
  mode: z.enum(modes),
  speed: z.union([z.number(), z.literal("max")]),
  processing_mode: z.enum(processingModes),
  signal_type: z.enum(signalTypes),
  webhook_url: z.string(),
  log: z
    .enum(logs)
    .nullable()
    .meta({ description: "history: the log does not have all of it any more; null = not known yet" }),
  progress: z.number().min(0).max(1).meta({ description: "The share of the log's stretch that has been read" }),
  position: z
    .object({ partition: z.int(), offset: z.int(), timestamp: isoTimeSchema.nullable() })
    .nullable()
    .meta({ description: "What was read last; the timestamp is that of the last signal" }),
  steps: z.int().meta({ description: "Detections of the asked tracks so far" }),
  steps_asked: z.int().nullable().meta({ description: "null in the mode auto" }),
  signals_sent: z.int(),
  deliveries: z.int().meta({ description: "Requests that the receiver took; a batch is one" }),
  errors: z.int().meta({ description: "Attempts that failed" }),
  last_error: z.string().nullable(),
  created_at: isoTimeSchema,
  ended_at: isoTimeSchema.nullable(),
});

export type ReplayAnswer = z.output<typeof replayAnswer>;

export const replayCreated = replayAnswer.extend({
  secret: z.string().meta({ description: "Signs the deliveries (Standard Webhooks). It is not shown again" }),
});
