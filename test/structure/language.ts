// Finds comments and names that the house's style forbids (CONTRIBUTING.md).
import type { Source } from "./sources.ts";

/** The first words of a comment that is a clause used as a noun, or a fragment. */
export const NO_SUBJECT = /^(What|Which|Who|Whom|Whose|Where|Those|Of|By|As)\b/;
/** A value explained by an equation; TSDoc has `@returns undefined when ...`. */
const EQUATION = /\b(undefined|null|true|false) = /;
const LONGEST_COMMENT_LINE = 120;

export interface Finding {
  /** `path:line`. */
  readonly place: string;
  readonly text: string;
}

/** Production code and tests must be free of these. */
export const commentFaults: Readonly<Record<string, (sources: readonly Source[]) => Finding[]>> = {
  "comments without a subject": commentsWithoutSubject,
  "comments with `undefined = ...`": equations,
  "comment lines over 120 columns": longCommentLines,
};

export function commentsWithoutSubject(sources: readonly Source[]): Finding[] {
  return commentsLike(sources, NO_SUBJECT);
}

export function equations(sources: readonly Source[]): Finding[] {
  return commentsLike(sources, EQUATION);
}

function commentsLike(sources: readonly Source[], pattern: RegExp): Finding[] {
  return sources.flatMap(({ path, comments }) =>
    comments.flatMap(({ line, text }) => (pattern.test(text) ? [{ place: `${path}:${line}`, text }] : [])),
  );
}

/** A full-line comment that is too long to be read in a window of 120 columns. */
function longCommentLines(sources: readonly Source[]): Finding[] {
  return sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) =>
      line.length > LONGEST_COMMENT_LINE && /^\s*(\/\/|\/?\*)/.test(line)
        ? [{ place: `${path}:${at + 1}`, text: line.trim() }]
        : [],
    ),
  );
}

export const literalSpreads = (sources: readonly Source[]): Finding[] =>
  sources.flatMap(({ path, lines, literalSpreads }) =>
    literalSpreads.map((line) => ({ place: `${path}:${line}`, text: lines[line - 1]?.trim() ?? "" })),
  );

/** Exported names that more than one file defines, with these files. */
export function namesDefinedTwice(
  sources: readonly Source[],
  onlyTypes = false,
): ReadonlyMap<string, readonly string[]> {
  const definitions = sources.flatMap(({ path, exports }) =>
    exports.flatMap(({ name, isType }) => (isType || !onlyTypes ? [{ name, path }] : [])),
  );
  const files = [...Map.groupBy(definitions, ({ name }) => name)].map(
    ([name, all]) => [name, [...new Set(all.map(({ path }) => path))]] as const,
  );
  return new Map(files.filter(([, paths]) => paths.length > 1));
}
