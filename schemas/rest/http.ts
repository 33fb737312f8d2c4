// Answers that do not belong to one area of the API: refusals, probes and the OpenAPI document.
import { z } from "zod";

const flaw = z.object({
  pointer: z
    .string()
    .describe("Place of the value: #/a/b in the body, else #/query/a, #/path/a or #/headers/a (JSON pointer)"),
  detail: z.string().describe("Reason for the refusal of the value, for people"),
});

export const problemSchema = z
  .object({
    type: z.string().describe("Name of the kind of refusal; it is stable, so programs may compare it"),
    title: z.string().describe("Kind of refusal in words"),
    status: z.int().describe("HTTP status of the answer"),
    detail: z.string().describe("Fault of this request, for people"),
    errors: z.array(flaw).optional().describe("Values at fault, at most 100; left out when no single value is"),
  })
  .meta({ id: "Problem", description: "A refusal, as in RFC 9457" });

/** A value at fault. */
export type FlawAnswer = Readonly<z.output<typeof flaw>>;
export type ProblemDocument = z.output<typeof problemSchema>;

export const probeAnswer = z.object({
  status: z.string().describe("Always ok: a probe that fails is a problem document"),
});

export const documentAnswer = z.looseObject({ openapi: z.string().describe("Version of OpenAPI, 3.1.0") });
