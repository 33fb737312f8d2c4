// Finds comments and names that the house's style forbids (CONTRIBUTING.md).
import type { Source } from "./sources.ts";

/** The first words of a comment that is a clause used as a noun, or a fragment. */
export const NO_SUBJECT = /^(What|Who|Whom|Whose|Where|Of|By|As)\b/;
/** A value explained by an equation; TSDoc has `@returns undefined when ...`. */
const EQUATION = /\b(undefined|null|true|false) = /;
const LONGEST_COMMENT_LINE = 120;

export interface Finding {
  /** `path:line`. */
  readonly place: string;
  readonly text: string;
}

export const commentsWithoutSubject = (sources: readonly Source[]): Finding[] => commentsLike(sources, NO_SUBJECT);

export const equations = (sources: readonly Source[]): Finding[] => commentsLike(sources, EQUATION);

function commentsLike(sources: readonly Source[], pattern: RegExp): Finding[] {
  return sources.flatMap(({ path, comments }) =>
    comments.flatMap(({ line, text }) => (pattern.test(text) ? [{ place: `${path}:${line}`, text }] : [])),
  );
}

/** A full-line comment that is too long to be read in a window of 120 columns. */
export function longCommentLines(sources: readonly Source[]): Finding[] {
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
export function namesDefinedTwice(sources: readonly Source[], onlyTypes = false): Map<string, string[]> {
  const definedIn = new Map<string, Set<string>>();
  for (const { path, exports } of sources) {
    for (const { name, isType } of exports) {
      if (onlyTypes && !isType) continue;
      const files = definedIn.get(name);
      if (files === undefined) definedIn.set(name, new Set([path]));
      else files.add(path);
    }
  }
  return new Map([...definedIn].flatMap(([name, files]) => (files.size > 1 ? [[name, [...files]] as const] : [])));
}
