import { limits } from "../../../schemas/checks.ts";
import { badInput } from "../../../schemas/errors.ts";

type Path = readonly (string | number)[];

export function checkId(id: string, path: Path): string {
  if (id.length === 0 || id.length > limits.maxIdLength) {
    throw badInput(`an id has 1 to ${limits.maxIdLength} characters`, path);
  }
  return id;
}

/** Names, tags, labels. */
export function checkText(text: string, path: Path): string {
  if (text.trim().length === 0) throw badInput("must not be empty", path);
  if (text.length > limits.maxTextLength) throw badInput(`longer than ${limits.maxTextLength} characters`, path);
  return text;
}
