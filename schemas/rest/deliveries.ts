// The query for the deliveries of a subscription, and the answers.

import { z } from "zod";
import { jsonOf } from "../json.ts";
import { isoTimeSchema } from "./pieces.ts";

const MAX_LIMIT = 200;
/** The year 2100, ms. */
const LATEST = 4_102_444_800_000;
const place = z.tuple([z.number().int().min(0).max(LATEST), z.string()]);

export const deliveriesQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(50),
  cursor: z
    .string()
    .max(1_000)
    .transform((text, context) => {
      const parsed = place.safeParse(jsonOf(Buffer.from(text, "base64url").toString()));
      if (parsed.success) return { createdAt: parsed.data[0], id: parsed.data[1] };
      context.addIssue({ code: "custom", message: "not a cursor of this list" });
      return z.NEVER;
    })
    .optional(),
});

export const deliveryAnswer = z.object({
  id: z.string().meta({ description: "The webhook-id" }),
  signal: z.string().meta({ description: "batch for several signals, test for a test" }),
  status: z.enum(["pending", "delivered", "failed", "merged"]),
  created_at: isoTimeSchema,
  ended_at: isoTimeSchema.nullable(),
  attempts: z.array(
    z.object({
      at: isoTimeSchema,
      status: z.number().int().nullable(),
      error: z.string().nullable(),
      ms: z.number().int(),
    }),
  ),
});

export type DeliveryAnswer = z.output<typeof deliveryAnswer>;

export const deliveriesAnswer = z.object({ deliveries: z.array(deliveryAnswer), next_cursor: z.string().nullable() });
