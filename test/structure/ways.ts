// The ways that README.md and docs/architecture.md describe: lists of files, in the order in which a reader opens them.
import { posix } from "node:path";
import type { Import } from "./sources.ts";

/** Files that one process passes through. */
export interface Passage {
  /** A folder of services. */
  readonly process: string;
  readonly files: readonly string[];
}

/** Rooms of services that belong to no process. */
const SHARED = ["common", "recorded"];

/** Interfaces behind which a file gets another one handed over, so that neither imports the other. */
const JOINTS = [
  "services/api/graphql/context.ts",
  "schemas/codec.ts",
  "projections/live/listener.ts",
  "projections/replay/session.ts",
];

/** The files behind the links in Markdown, each once; `page` is the path of the page. */
export function linkedFiles(text: string, page: string): string[] {
  const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) => path);
  return [...new Set(links.map((path) => posix.join(posix.dirname(page), path)))];
}

/** Cuts a way where a file belongs to another service than the files before it. */
export function passagesOf(files: readonly string[]): Passage[] {
  const passages: { process: string; files: string[] }[] = [];
  for (const file of files) {
    const [layer, service = ""] = file.split("/");
    const isOwn = layer === "services" && !SHARED.includes(service);
    const last = passages.at(-1);
    if (last === undefined || (isOwn && last.process !== service)) passages.push({ process: service, files: [file] });
    else last.files.push(file);
  }
  return passages;
}

/**
 * Returns the files of the passage to which no file before them is joined by an import, directly or through one file.
 */
export function notReached({ files }: Passage, imports: readonly Import[]): string[] {
  const byFile = Map.groupBy(imports, ({ from }) => from);
  const importsOf = (file: string) => byFile.get(file) ?? [];
  const has = (file: string, other: string) => importsOf(file).some(({ to }) => to === other);
  const leadsTo = (file: string, other: string) =>
    has(file, other) || importsOf(file).some(({ to: between }) => has(between, other));
  // A file that is called back imports its caller.
  const areJoined = (one: string, other: string) =>
    leadsTo(one, other) || leadsTo(other, one) || JOINTS.some((joint) => has(one, joint) && has(other, joint));
  return files.filter((file, at) => at > 0 && !files.slice(0, at).some((earlier) => areJoined(earlier, file)));
}
