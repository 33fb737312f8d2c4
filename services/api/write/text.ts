import { checkId } from "../../../schemas/check-texts.ts";
import { badInput, type InputPath, refuse } from "../../../schemas/errors.ts";
import { limits } from "../../../schemas/limits.ts";

export function acceptId(id: string, path: InputPath): string {
  refuse(checkId(id), path);
  return id;
}

/** Accepts IANA names only. */
export function acceptTimezone(name: string, path: InputPath): string {
  try {
    // Intl also accepts offsets such as +02:00, which are no names.
    if (/^[A-Za-z]/.test(name)) new Intl.DateTimeFormat("en", { timeZone: name });
    else throw new RangeError(name);
    return name;
  } catch {
    throw badInput("not the IANA name of a time zone", path);
  }
}

/** Checks a list of labels. */
export function checkTexts(texts: readonly string[], path: InputPath): readonly string[] {
  if (texts.length > limits.maxTexts) throw badInput(`there are more than ${limits.maxTexts}`, path);
  return texts.map((text, i) => checkText(text, [...path, i]));
}

/** Checks a name, tag or label. */
export function checkText(text: string, path: InputPath): string {
  if (text.trim().length === 0) throw badInput("must not be empty", path);
  if (text.length > limits.maxTextLength) throw badInput(`longer than ${limits.maxTextLength} characters`, path);
  return text;
}
