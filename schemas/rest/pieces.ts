// Pieces that the schemas of several endpoints share.
import { z } from "zod";
import { parseDateTime } from "../date-time.ts";

const MAX_ID_LENGTH = 200;
export const MAX_URL_LENGTH = 2_048;

/** An id that the caller chooses or names, in a path or in a body. */
export const idMember = z
  .string()
  .min(1, "an id has at least one character")
  .max(MAX_ID_LENGTH, `an id has at most ${MAX_ID_LENGTH} characters`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression refuses control characters.
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/u, "an id has no control characters")
  // A half of a surrogate pair would become another character in UTF-8, so two ids would be one.
  .refine((text) => text.isWellFormed(), "an id is well-formed Unicode");

const INSTANT = "an ISO 8601 time with an offset, such as 2026-01-01T00:00:00.000Z";

/** A time in a request. Its output is milliseconds since the epoch. */
export const instant = z
  .string()
  .meta({ format: "date-time" })
  .transform((text, context) => {
    const time = parseDateTime(text);
    if (time !== undefined) return time;
    context.addIssue({ code: "custom", message: `not ${INSTANT}` });
    return z.NEVER;
  });

/** A time in an answer. */
export const isoTimeSchema = z.string().meta({ format: "date-time" });

/** The address of another server. The guard decides whether this server may call it. */
export const urlText = (...schemes: readonly string[]) =>
  z
    .string()
    .max(MAX_URL_LENGTH, `an address has at most ${MAX_URL_LENGTH} characters`)
    .meta({ format: "uri" })
    .superRefine((text, context) => {
      const flaw = flawOfUrl(text, schemes);
      if (flaw !== undefined) context.addIssue({ code: "custom", message: flaw });
    });

function flawOfUrl(text: string, schemes: readonly string[]): string | undefined {
  const url = URL.parse(text);
  if (url === null) return "not an absolute URL";
  if (!schemes.includes(url.protocol.slice(0, -1))) return `the scheme must be ${schemes.join(" or ")}`;
  return url.username === "" && url.password === "" ? undefined : "an address has no user name and no password";
}

/**
 * A list that is too long is refused before its items are checked; otherwise the answer could report a flaw of each of
 * hundreds of thousands.
 */
export const listOf = <T extends z.ZodType>(item: T, max: number, min = 0) =>
  z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    context.addIssue({ code: "custom", message: `at most ${max} items` });
    return z.NEVER;
  }, z.array(item).min(min).max(max));
