import { checkId } from "../../../schemas/check-texts.ts";
import { badInput, refuse } from "../../../schemas/errors.ts";
import { limits } from "../../../schemas/limits.ts";

type Path = readonly (string | number)[];

export function acceptId(id: string, path: Path): string {
  refuse(checkId(id), path);
  return id;
}

/** An IANA name. */
export function acceptTimezone(name: string, path: Path): string {
  try {
    // Intl also accepts offsets such as +02:00, which are no names.
    if (/^[A-Za-z]/.test(name)) new Intl.DateTimeFormat("en", { timeZone: name });
    else throw new RangeError(name);
    return name;
  } catch {
    throw badInput("not the IANA name of a time zone", path);
  }
}

/** Labels. */
export function checkTexts(texts: readonly string[], path: Path): readonly string[] {
  if (texts.length > limits.maxTexts) throw badInput(`there are more than ${limits.maxTexts}`, path);
  return texts.map((text, i) => checkText(text, [...path, i]));
}

/** Names, tags, labels. */
export function checkText(text: string, path: Path): string {
  if (text.trim().length === 0) throw badInput("must not be empty", path);
  if (text.length > limits.maxTextLength) throw badInput(`longer than ${limits.maxTextLength} characters`, path);
  return text;
}
