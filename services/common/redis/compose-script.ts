// Puts a Lua script together: its file, the parts that it requires, and names for its keys and arguments. The comments
// at the head of each file say what it needs:
//
//     -- requires: fence.lua ../now.lua    Parts, each included once and before the file.
//     -- keys: position                    KEYS[1] is the local `position`.
//     -- arguments: owner id fields...     ARGV likewise. A last name may be a list of any length: `fieldsFrom` is the
//                                          place in ARGV at which it begins.
//
// Names of parts come before those of the file, and a name that several files have is one argument.
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export interface ComposedScript {
  readonly text: string;
  readonly keys: readonly string[];
  readonly arguments: readonly string[];
  /** Replaces lines of the text in an error message of Redis by lines of the files. */
  readonly explain: (message: string) => string;
}

interface ScriptFile {
  readonly path: string;
  readonly lines: readonly string[];
}

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export function composeScript(file: URL): ComposedScript {
  const files = readAll(fileURLToPath(file), new Set());
  const keys = namesIn(files, "keys");
  const args = namesIn(files, "arguments");
  const head = [localsOf("KEYS", keys), localsOf("ARGV", args)];
  const lines = [...head, ...files.flatMap((each) => each.lines)];
  const places = files.flatMap(({ path, lines }) => lines.map((_, i) => `${relative(ROOT, path)}:${i + 1}`));
  const placeOf = (line: number) => places[line - head.length - 1] ?? "the names of a script";
  return {
    text: lines.join("\n"),
    keys,
    arguments: args,
    explain: (message) => message.replaceAll(/@?user_script:(\d+)/g, (_, line) => placeOf(Number(line))),
  };
}

/** Returns the required files before those that require them. */
function readAll(path: string, known: Set<string>): ScriptFile[] {
  if (known.has(path)) return [];
  known.add(path);
  const file = { path, lines: readFileSync(path, "utf8").trimEnd().split("\n") };
  const required = wordsAfter(file, "requires").map((each) => resolve(dirname(path), each));
  return [...required.flatMap((each) => readAll(each, known)), file];
}

function namesIn(files: readonly ScriptFile[], kind: "keys" | "arguments"): readonly string[] {
  const names = [...new Set(files.flatMap((file) => wordsAfter(file, kind)))];
  const list = names.findIndex(isList);
  if (list >= 0 && list < names.length - 1) {
    throw new Error(`${files.at(-1)?.path}: ${names[list]} must come after all other ${kind}`);
  }
  return names;
}

const wordsAfter = ({ lines }: ScriptFile, word: string): string[] =>
  lines.flatMap((line) => (line.startsWith(`-- ${word}: `) ? line.slice(word.length + 5).split(" ") : []));

export const isList = (name: string): boolean => name.endsWith("...");

export const listName = (name: string): string => name.slice(0, -"...".length);

function localsOf(table: "KEYS" | "ARGV", names: readonly string[]): string {
  if (names.length === 0) return "";
  const locals = names.map((name) => (isList(name) ? `${listName(name)}From` : name));
  const values = names.map((name, i) => (isList(name) ? i + 1 : `${table}[${i + 1}]`));
  return `local ${locals.join(", ")} = ${values.join(", ")}`;
}
