import { z } from "zod";

/**
 * Parses a list of at most `most` values. The check ends at the first invalid value: an issue for each of millions
 * would fill the memory.
 */
export const boundedListOf = <T extends z.ZodType>(each: T, most = Number.POSITIVE_INFINITY) =>
  z.array(z.unknown()).transform((values, context): z.output<T>[] => {
    const taken: z.output<T>[] = [];
    const refuse = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (values.length > most) return refuse(`more than ${most} values`);
    for (const [at, value] of values.entries()) {
      const parsed = each.safeParse(value);
      if (!parsed.success) return refuse(`value ${at} does not have the shape that was asked for`);
      taken.push(parsed.data);
    }
    return taken;
  });
