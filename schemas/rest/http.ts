// Answers that do not belong to one area of the API: refusals, probes and the OpenAPI document.
import { z } from "zod";

const flaw = z.object({
  pointer: z.string().meta({ description: "#/a/b of the body, #/query/a, #/path/a or #/headers/a of the request" }),
  detail: z.string(),
});

export const problemSchema = z
  .object({
    type: z.string().meta({ description: "stable: programs may compare it" }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(flaw).optional().meta({ description: "the values at fault" }),
  })
  .meta({ id: "Problem", description: "A refusal, as in RFC 9457" });

/** A value at fault. */
export type FlawAnswer = Readonly<z.output<typeof flaw>>;
export type ProblemDocument = z.output<typeof problemSchema>;

export const probeAnswer = z.object({ status: z.string().meta({ description: "ok when running" }) });

export const documentAnswer = z.looseObject({ openapi: z.string() });
