// Reads and parses the house's TypeScript files once, for counts and for the structure tests.
import { readdirSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import {
  type ArrowFunctionExpression,
  type Function as FunctionExpression,
  type MethodDefinition,
  type PropertyDefinition,
  parseSync,
  Visitor,
} from "oxc-parser";
import { ROOT, readText } from "./repository.ts";

export const PRODUCTION = ["schemas", "projections", "services"] as const;

export interface Source {
  /** Relative to the repository. */
  readonly path: string;
  readonly lines: readonly string[];
  readonly comments: readonly Comment[];
  readonly imports: readonly Import[];
  /** The names that the file exports and defines itself. */
  readonly exports: readonly Exported[];
  readonly functions: readonly Extent[];
  /** Lines with a spread of an object literal: `...{ a, b }`. */
  readonly literalSpreads: readonly number[];
}

/** A block, or line comments that follow one another. */
export interface Comment {
  readonly line: number;
  readonly text: string;
}

export interface Import {
  readonly from: string;
  /** Relative to the repository. */
  readonly to: string;
  readonly isType: boolean;
}

export interface Exported {
  readonly name: string;
  readonly isType: boolean;
}

export interface Extent {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
  /** The function only returns an object literal, in which nothing has statements: many things of one kind. */
  readonly isTable: boolean;
}

export function readSources(folders: readonly string[] = PRODUCTION): readonly Source[] {
  return folders.flatMap((folder) =>
    readdirSync(resolve(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .sort()
      .map((file) => readSource(`${folder}/${file}`)),
  );
}

/** Throws when the file is not TypeScript. */
export function readSource(path: string, text = readText(path)): Source {
  const { program, comments, module, errors } = parseSync(path, text, { range: true });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineAt = lineFinder(text);
  const functions: Extent[] = [];
  const literalSpreads: number[] = [];
  const measure = (name: string, node: FunctionNode, { start, end }: Spanned = node) =>
    functions.push({ name, line: lineAt(start), lines: lineAt(end) - lineAt(start) + 1, isTable: isTable(node) });
  const measureMember = (member: MethodDefinition | PropertyDefinition) => {
    if (isFunction(member.value)) measure(text.slice(member.key.start, member.key.end), member.value, member);
  };
  new Visitor({
    FunctionDeclaration: (node) => measure(node.id?.name ?? "default", node),
    VariableDeclarator: ({ id, init }) => {
      if (isFunction(init) && id.type === "Identifier") measure(id.name, init);
    },
    MethodDefinition: measureMember,
    PropertyDefinition: measureMember,
    SpreadElement: ({ start, argument }) => {
      if (argument.type === "ObjectExpression") literalSpreads.push(lineAt(start));
    },
  }).visit(program);

  return {
    path,
    lines: text.trimEnd().split("\n"),
    comments: joined(
      comments.map(({ value, start, end }) => ({
        value,
        line: lineAt(start),
        last: lineAt(end),
        isAlone: text.slice(text.lastIndexOf("\n", start) + 1, start).trim() === "",
      })),
    ),
    imports: importsOf(path, module),
    exports: module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ exportName: { name }, moduleRequest, isType }) =>
        name === null || moduleRequest !== null ? [] : [{ name, isType }],
      ),
    ),
    functions,
    literalSpreads,
  };
}

type FunctionNode = FunctionExpression | ArrowFunctionExpression;

const isFunction = (node: { readonly type: string } | null | undefined): node is FunctionNode =>
  node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";

function isTable({ body }: FunctionNode): boolean {
  const only = body?.type === "BlockStatement" && body.body.length === 1 ? body.body[0] : body;
  const answer = only?.type === "ReturnStatement" ? only.argument : only;
  const returned = answer?.type === "ParenthesizedExpression" ? answer.expression : answer;
  return returned?.type === "ObjectExpression" && !JSON.stringify(returned).includes('"type":"BlockStatement"');
}

interface Spanned {
  readonly start: number;
  readonly end: number;
}

/** The first line is 1. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}

interface Piece {
  readonly value: string;
  readonly line: number;
  readonly last: number;
  /** No code before it in its line. */
  readonly isAlone: boolean;
}

function joined(pieces: readonly Piece[]): Comment[] {
  const groups: { line: number; last: number; texts: string[] }[] = [];
  for (const { value, line, last, isAlone } of pieces) {
    const text = value
      .split("\n")
      .map((each) => each.replace(/^\s*\*?\s?/, "").trimEnd())
      .join(" ")
      .trim();
    const group = groups.at(-1);
    if (group !== undefined && group.last === line - 1 && isAlone && !value.startsWith("*")) {
      group.texts.push(text);
      group.last = last;
    } else groups.push({ line, last, texts: [text] });
  }
  return groups.map(({ line, texts }) => ({ line, text: texts.join(" ") }));
}

function importsOf(path: string, { staticImports, staticExports }: ReturnType<typeof parseSync>["module"]): Import[] {
  const given = staticImports.map(({ moduleRequest, entries }) => ({
    to: moduleRequest.value,
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
  }));
  const passedOn = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null ? [] : [{ to: moduleRequest.value, isType }],
    ),
  );
  return [...given, ...passedOn].flatMap(({ to, isType }) =>
    to.startsWith(".") ? [{ from: path, to: relative(ROOT, resolve(ROOT, dirname(path), to)), isType }] : [],
  );
}
