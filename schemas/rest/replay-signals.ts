// The newest signals of a replay session, for callers that look at them.
import { z } from "zod";
import { isoTimeSchema } from "./pieces.ts";

const MOST_SIGNALS = 200;
const FEW_SIGNALS = 100;

export const replaySignalsQuery = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe("`last` of the answer before: only later signals are wanted"),
  limit: z.coerce.number().int().min(1).max(MOST_SIGNALS).default(FEW_SIGNALS).describe("Number of signals at most"),
});

const keptSignal = z.object({
  number: z.int().describe("Place among all signals of the session, from 1 on"),
  kind: z.string().describe("Name of the signal, such as track_created"),
  timestamp: isoTimeSchema.describe("Event time"),
  at: isoTimeSchema.describe("Time at which it was delivered or given up, or made when there is no receiver"),
  result: z
    .enum(["delivered", "failed"])
    .nullable()
    .describe("failed: it was given up. null: the session has no receiver"),
  error: z.string().nullable().describe("Reason of the failure; null without one"),
  signal: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("The signal as a delivery has it, without its trigger_config; null when it is larger than 64 KiB"),
});

export type KeptSignalAnswer = z.output<typeof keptSignal>;

export const replaySignalsAnswer = z.object({
  signals: z.array(keptSignal).describe("The newest ones after `after`, in their order"),
  last: z.int().describe("Number of the last of them, or `after` if there is none: the next `after`"),
  passed_over: z
    .int()
    .describe("Number of signals after `after` and before the last one that this answer does not have"),
});
