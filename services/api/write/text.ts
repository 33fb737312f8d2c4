import { checkId, limits } from "../../../schemas/checks.ts";
import { badInput, refuse } from "../../../schemas/errors.ts";

type Path = readonly (string | number)[];

export function acceptId(id: string, path: Path): string {
  refuse(checkId(id), path);
  return id;
}

/** Names, tags, labels. */
export function checkText(text: string, path: Path): string {
  if (text.trim().length === 0) throw badInput("must not be empty", path);
  if (text.length > limits.maxTextLength) throw badInput(`longer than ${limits.maxTextLength} characters`, path);
  return text;
}
