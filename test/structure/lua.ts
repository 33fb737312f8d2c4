// Reads and parses the house's Lua scripts, as services compose them.
import { globSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Identifier, parse } from "luaparse";
import { type ComposedScript, composeScript, isList, listName } from "../../services/common/redis/compose-script.ts";
import { ROOT, readText } from "./repository.ts";

export interface LuaScript extends ComposedScript {
  /** Relative to the repository. */
  readonly path: string;
}

export const luaFiles: readonly string[] = globSync("services/**/*.lua", { cwd: ROOT }).sort();

export const luaLines = (path: string): readonly string[] => readText(path).split("\n");

/** Parts are scripts only together with the files that require them. */
export function readScripts(): readonly LuaScript[] {
  const isPart = (path: string) => (luaLines(path)[0] ?? "").startsWith("-- Part: ");
  return luaFiles
    .filter((path) => !isPart(path))
    .map((path) => ({ path, ...composeScript(pathToFileURL(`${ROOT}${path}`)) }));
}

/** Names that are read or written, each as often as it occurs. Throws when the text is not Lua 5.1. */
export function namesOf(text: string): { readonly globals: readonly string[]; readonly locals: readonly string[] } {
  const identifiers: Identifier[] = [];
  parse(text, {
    luaVersion: "5.1",
    scope: true,
    onCreateNode: (node) => {
      if (node.type === "Identifier") identifiers.push(node);
    },
  });
  const namesWith = (isLocal: boolean) =>
    identifiers.flatMap((each) => (Reflect.get(each, "isLocal") === isLocal ? [each.name] : []));
  return { globals: namesWith(false), locals: namesWith(true) };
}

/** Locals that a script has for its keys and arguments. */
export const namedIn = ({ keys, arguments: args }: LuaScript): readonly string[] =>
  [...keys, ...args].map((name) => (isList(name) ? `${listName(name)}From` : name));

/** The first line of each comment. */
export const commentsOf = (path: string): readonly { readonly line: number; readonly text: string }[] =>
  luaLines(path).flatMap((text, i, lines) =>
    isComment(text) && !isComment(lines[i - 1] ?? "") ? [{ line: i + 1, text: text.replace(/^\s*-- /, "") }] : [],
  );

const isComment = (line: string): boolean => /^\s*-- /.test(line);
