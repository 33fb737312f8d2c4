// The query for the deliveries of a subscription, and the answers.

import { z } from "zod";
import { jsonOf } from "../json.ts";
import { isoTimeSchema } from "./pieces.ts";

const MAX_LIMIT = 200;
/** The year 2100, ms. */
const LATEST = 4_102_444_800_000;
const place = z.tuple([z.number().int().min(0).max(LATEST), z.string()]);

export const deliveriesQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50).describe("Number of deliveries in a page"),
  cursor: z
    .string()
    .max(1_000)
    .transform((text, context) => {
      const parsed = place.safeParse(jsonOf(Buffer.from(text, "base64url").toString()));
      if (parsed.success) return { createdAt: parsed.data[0], id: parsed.data[1] };
      context.addIssue({ code: "custom", message: "not a cursor of this list" });
      return z.NEVER;
    })
    .optional()
    .describe("`next_cursor` of the page before; without it the list begins with the newest delivery"),
});

const attempt = z.object({
  at: isoTimeSchema.describe("Start of the attempt"),
  status: z.number().int().nullable().describe("HTTP status of the receiver's answer; null without an answer"),
  error: z.string().nullable().describe("Reason for a failure that the status does not show; null otherwise"),
  ms: z.number().int().describe("Duration in milliseconds"),
});

export const deliveryAnswer = z
  .object({
    id: z.string().describe("Header `webhook-id`, the same for all attempts"),
    signal: z.string().describe("Name of the signal; batch for several signals, test for a test"),
    status: z
      .enum(["pending", "delivered", "failed", "merged"])
      .describe(
        "pending: it waits or is tried again. delivered: the receiver answered 2xx. failed: no attempt follows. " +
          "merged: a newer update of the same track or zone took its place",
      ),
    created_at: isoTimeSchema.describe("Time at which the signal, or the request for a test, arrived"),
    ended_at: isoTimeSchema.nullable().describe("Null while it is pending"),
    attempts: z.array(attempt).describe("Oldest first; only the newest are kept"),
  })
  .meta({ id: "Delivery" });

export type DeliveryAnswer = z.output<typeof deliveryAnswer>;

export const deliveriesAnswer = z.object({
  deliveries: z.array(deliveryAnswer).describe("Newest first"),
  next_cursor: z.string().nullable().describe("Leads to the next page; null on the last one"),
});
