// Parses the fields of a chronicle in an input, each with the check of its type.
import type { ChronicleField, ChronicleFieldType } from "../../../../projections/chronicles/define-chronicle.ts";
import { checkStoredTime } from "../../../../schemas/check-times.ts";
import type { Clip } from "../../../../schemas/chronicles/activity.ts";
import type { ChronicleValidation } from "../../../../schemas/chronicles/fields.ts";
import { badInput, type InputPath, refuse } from "../../../../schemas/errors.ts";
import type { ChronicleValidationInput } from "../../../../schemas/graphql/inputs.ts";
import { limits } from "../../../../schemas/limits.ts";
import { parseMetadata, toPosition } from "../../write/detection.ts";
import { acceptId, acceptTimezone, checkText, checkTexts } from "../../write/text.ts";

/** GraphQL has checked the rules of its types; the remaining ones are checked here. */
type Parse = (value: never, path: InputPath) => unknown;

const parsers: Readonly<Record<ChronicleFieldType, Parse>> = {
  name: checkText,
  text: checkText,
  id: acceptId,
  timezone: acceptTimezone,
  json: parseMetadata,
  texts: checkTexts,
  ids: parseIds,
  time: parseInstant,
  flag: (value) => value,
  point: toPosition,
  validation: parseValidation,
  clips: parseClips,
};

export const parseField = ({ type }: ChronicleField, value: unknown, path: InputPath): unknown =>
  parsers[type](value as never, path);

/** An id that is given twice counts once. */
export function parseIds(ids: readonly string[], path: InputPath): readonly string[] {
  if (ids.length > limits.maxTexts) throw badInput(`there are more than ${limits.maxTexts}`, path);
  return [...new Set(ids.map((id, i) => acceptId(id, [...path, i])))];
}

function parseInstant(ms: number, path: InputPath): number {
  refuse(checkStoredTime(ms), path);
  return ms;
}

/** Inputs of deprecated events name the summary `reason`. */
type AnyValidationInput = ChronicleValidationInput & { readonly reason?: string | null };

function parseValidation(input: AnyValidationInput, path: InputPath): ChronicleValidation {
  const { status, summary, reason, details } = input;
  const member = "reason" in input ? "reason" : "summary";
  const given = summary ?? reason ?? null;
  if (status === "INVALID" && given === null) throw badInput("INVALID needs a reason", [...path, member]);
  return {
    status,
    reason: given === null ? null : checkText(given, [...path, member]),
    details: details == null ? null : checkText(details, [...path, "details"]),
  };
}

export function parseClips(clips: readonly Clip[], path: InputPath): readonly Clip[] {
  if (clips.length > limits.maxTexts) throw badInput(`there are more than ${limits.maxTexts}`, path);
  return clips.map(({ dataSourceId, startTime, endTime }, i) => {
    refuse(checkStoredTime(startTime), [...path, i, "startTime"]);
    refuse(checkStoredTime(endTime), [...path, i, "endTime"]);
    if (endTime < startTime) throw badInput("the end is before the start", [...path, i, "endTime"]);
    return { dataSourceId: acceptId(dataSourceId, [...path, i, "dataSourceId"]), startTime, endTime };
  });
}
