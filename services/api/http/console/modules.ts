// The files of the console: everything that its entry imports, directly or through others, as text for a browser.
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** A module as a browser gets it. */
export interface ConsoleModule {
  /** Path from the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Whether a page needs it before it can show anything: its importers do not wait for an `import()`. */
  readonly isEager: boolean;
}

export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Libraries by the names under which the console imports them. A browser cannot look into package.json. */
export const LIBRARIES: Readonly<Record<string, string>> = {
  "lit-html": "node_modules/lit-html/lit-html.js",
  "lit-html/directives/live.js": "node_modules/lit-html/directives/live.js",
  "lit-html/directives/ref.js": "node_modules/lit-html/directives/ref.js",
  "lit-html/directives/repeat.js": "node_modules/lit-html/directives/repeat.js",
  "graphql-ws": "node_modules/graphql-ws/dist/client.js",
  "robust-predicates": "node_modules/robust-predicates/esm/orient2d.js",
  "h3-js": "node_modules/h3-js/dist/browser/h3-js.es.js",
  uplot: "node_modules/uplot/dist/uPlot.esm.js",
};

/** `from "x"` and `import "x"` of modules, and `import("x")` of modules that a page loads later. */
const STATIC_IMPORT = /(?:^|[\s;}])(?:import|export)\s*(?:[\w$*\s{},]+?\s*from\s*)?["']([^"']+)["']/g;
const LATER_IMPORT = /\bimport\(\s*["']([^"']+)["']\s*\)/g;

/**
 * Reads the entry and all that it imports.
 * @throws an Error that names the file when one does not exist, or imports what the console may not.
 */
export function readModules(entry: string): readonly ConsoleModule[] {
  const texts = new Map<string, string>();
  const eager = new Set<string>();

  function visit(path: string, isEager: boolean): void {
    if (texts.has(path) && (eager.has(path) || !isEager)) return;
    if (isEager) eager.add(path);
    const text = texts.get(path) ?? browserText(path);
    texts.set(path, text);
    for (const [, name = ""] of text.matchAll(STATIC_IMPORT)) visit(resolve(name, path), isEager);
    for (const [, name = ""] of text.matchAll(LATER_IMPORT)) visit(resolve(name, path), false);
  }

  visit(entry, true);
  return [...texts].map(([path, text]) => ({ path, text, isEager: eager.has(path) }));
}

/** Types become blanks, so lines and columns of an error are those of the source. */
function browserText(path: string): string {
  const text = readFileSync(join(ROOT, path), "utf8");
  return path.endsWith(".ts") ? stripTypeScriptTypes(text) : withoutMap(text);
}

/** The maps of libraries are not served. */
const withoutMap = (text: string): string => text.replace(/^\/\/# sourceMappingURL=.*$/m, "");

function resolve(name: string, importer: string): string {
  if (name.startsWith(".")) return relative(ROOT, join(ROOT, dirname(importer), name)).replaceAll("\\", "/");
  const library = LIBRARIES[name];
  if (library === undefined) throw new Error(`${importer} imports ${name}, which is not a library of the console`);
  return library;
}
