// The bodies of requests about replay sessions, and the answers.
import { z } from "zod";
import { idMember, instant, isoTimeSchema } from "./pieces.ts";
import { rangeMember, settingsMember, shownSelection, spansMember, zonesMember } from "./replay-selection.ts";
import { signalTexts } from "./subscription-texts.ts";
import {
  checkSubscriptionShape,
  checkTextBytes,
  memberBounds,
  optionalMember,
  signalMembers,
  textMember,
  webhookSecret,
  webhookUrl,
  workflowId,
} from "./subscriptions.ts";

const modes = ["auto", "manual"] as const;
const processingModes = ["streaming", "batch"] as const;
const signalTypes = ["track_state", "zone_state"] as const;
const states = ["running", "paused", "finished", "failed"] as const;
const logs = ["topic", "history"] as const;

const speed = z.union([z.number().min(0.1).max(1_000), z.literal("max")]);

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
        .transform((ids) => [...new Set(ids)])
        .nullish()
        .describe("Tracks whose signals are sent; repeated ids count once"),
      range: rangeMember
        .nullish()
        .describe("In place of `track_ids`: the tracks of data sources or sites, with detections in an event time"),
      offsets: spansMember
        .nullish()
        .describe("In place of `track_ids`: the messages of the topic camera-log with these offsets"),
      zones: zonesMember,
      settings: settingsMember,
      mode: z.enum(modes).describe("auto: at the recorded pace. manual: one detection for each step"),
      speed: optionalMember(speed, 1).describe(
        "While it goes on by itself, the recorded pace is multiplied by it; max waits for nothing",
      ),
      processing_mode: optionalMember(z.enum(processingModes), "streaming").describe(
        `The mode of a subscription. ${signalTexts.mode}`,
      ),
      signal_type: optionalMember(z.enum(signalTypes), "track_state").describe(signalTexts.replayed_type),
      webhook_url: webhookUrl
        .nullish()
        .describe(
          "Address to which deliveries are POSTed. The operator must list one that leads to this machine or a private " +
            "network. Without an address nothing is delivered, and the signals can only be looked at",
        ),
      webhook_secret: webhookSecret.describe(
        "Signs the deliveries (Standard Webhooks): whsec_ and 24 to 64 bytes in base64. Left out, the service makes " +
          "one; without a `webhook_url` it is refused",
      ),
      workflow_name: optionalMember(textMember, "replay").describe(signalTexts.workflow),
      workflow_id: workflowId,
      ...members,
    })
    .superRefine((body, context) =>
      checkSubscriptionShape({ ...body, mode: body.processing_mode, trigger_on: [] }, context),
    )
    .superRefine(checkTextBytes)
    .superRefine(checkOneSelection)
    .superRefine(checkSecret)
    .describe(`One of \`track_ids\`, \`range\` and \`offsets\` is needed. ${memberBounds}`);

const SELECTIONS = ["track_ids", "range", "offsets"] as const;

function checkOneSelection(
  body: Readonly<Partial<Record<(typeof SELECTIONS)[number], unknown>>>,
  context: z.RefinementCtx,
): void {
  const given = SELECTIONS.filter((name) => body[name] != null);
  if (given.length === 1) return;
  const message = `exactly one of ${SELECTIONS.join(", ")} is needed`;
  context.addIssue({ code: "custom", path: [given.at(-1) ?? SELECTIONS[0]], message });
}

function checkSecret(
  { webhook_url: url, webhook_secret: secret }: { readonly [member: string]: unknown },
  context: z.RefinementCtx,
): void {
  if (secret == null || url != null) return;
  const message = "it is only possible with a webhook_url";
  context.addIssue({ code: "custom", path: ["webhook_secret"], message });
}

export type ReplayBody = z.output<ReturnType<typeof replayBody>>;

export const stepBody = z
  .object({
    count: optionalMember(z.int().min(1).max(MAX_STEPS), 1).describe("Number of requested detections"),
  })
  .nullish()
  .transform((body) => body ?? { count: 1 });

export const resumeBody = z
  .object({
    speed: speed.nullish().describe("From now on, the recorded pace is multiplied by it; max waits for nothing"),
  })
  .nullish()
  .transform((body) => body ?? {});

const MOST_LISTED = 1_000;

export const replaysQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MOST_LISTED).default(MOST_LISTED).describe("Number of sessions in a page"),
  cursor: z
    .string()
    .max(1_000)
    .optional()
    .describe("`next_cursor` of the page before; without it the list begins with the newest session"),
});

const replayMembers = z.object({
  id: z.string().describe("Id that the caller chose, in the path of the POST"),
  state: z
    .enum(states)
    .describe(
      "running: it reads and delivers, or waits for its time. paused: it waits for a step, or until it is resumed. " +
        "finished: every delivery was taken or given up. failed: it ended early, see `reason`",
    ),
  reason: z.string().nullable().describe("Reason for the failure; null in other states"),
  track_ids: z.array(z.string()).describe("Requested tracks; empty for a session of a range or of offsets"),
  ...shownSelection,
  mode: z
    .enum(modes)
    .describe("auto: at the recorded pace. manual: one detection for each step; auto once it was resumed"),
  speed: z.union([z.number(), z.literal("max")]).describe("Factor of the recorded pace in the mode auto"),
  processing_mode: z.enum(processingModes).describe(signalTexts.mode),
  signal_type: z.enum(signalTypes).describe(signalTexts.replayed_type),
  webhook_url: z.string().describe("Address to which deliveries are POSTed; empty without a receiver"),
  log: z
    .enum(logs)
    .nullable()
    .describe(
      "topic: the log has all that was requested, and signals equal the live ones. " +
        "history: the log lost some of it, so signals are approximate. null: not known yet",
    ),
  progress: z.number().min(0).max(1).describe("Share of the recorded time that has been read, an estimate"),
  position: z
    .object({
      partition: z.int().describe("Partition of the topic camera-log"),
      offset: z.int().describe("Offset in the partition"),
      timestamp: isoTimeSchema.nullable().describe("Time of the last signal; null before the first one"),
    })
    .nullable()
    .describe("Last message that was read; null before the first one"),
  steps: z.int().describe("Number of requested detections so far: of the tracks, in the range, or at the offsets"),
  steps_asked: z.int().nullable().describe("Number of steps that it may make; null while it goes on by itself"),
  signals: z.int().describe("Number of signals that were delivered or given up, or made when there is no receiver"),
  signals_sent: z.int().describe("Number of signals that the receiver took"),
  deliveries: z.int().describe("Number of requests that the receiver took; a batch is one"),
  errors: z.int().describe("Number of attempts that failed"),
  last_error: z.string().nullable().describe("Reason for the newest failed attempt; null without one"),
  created_at: isoTimeSchema.describe("Time of the POST"),
  ended_at: isoTimeSchema.nullable().describe("Null while it is running or paused"),
});

export const replayAnswer = replayMembers.meta({ id: "ReplaySession" });

export type ReplayAnswer = z.output<typeof replayAnswer>;

export const replayCreated = replayMembers.extend({
  secret: z.string().describe(`${signalTexts.secret}. Empty without a receiver`),
});

export const replaysAnswer = z.object({
  sessions: z.array(replayAnswer).describe("The newest first"),
  next_cursor: z.string().nullable().describe("Leads to the next page; null on the last one"),
});

export const replayOffsetsQuery = z.object({
  data_source_id: idMember.describe("Data source of the detections"),
  from: instant.describe("Event time of the first detections"),
  to: instant.describe("Event time up to which detections count, exclusive"),
});

const foundOffset = z.int().nullable();

export const replayOffsetsAnswer = z.object({
  data_source_id: z.string().describe("Data source of the detections"),
  partition: z.int().describe("Partition of the topic camera-log that has its messages"),
  from: foundOffset.describe("Offset of the first message with such a detection; null when there is none"),
  to: foundOffset.describe("Offset after the last such message; null when there is none"),
  first_recorded_at: isoTimeSchema
    .nullable()
    .describe("Time at which the broker recorded the first one; null without one"),
  last_recorded_at: isoTimeSchema
    .nullable()
    .describe("Time at which the broker recorded the last one; null without one"),
  log: z
    .enum([...logs, "none"])
    .describe(
      "topic: the log has these offsets. history: it has lost the first of them, and a replay reads the history. " +
        "none: no such detection is known in this log",
    ),
  log_from: z.int().describe("First offset that the partition has now"),
  log_to: z.int().describe("Offset that its next message will get"),
});

export type ReplayOffsets = z.output<typeof replayOffsetsAnswer>;
