// npm run structure: the figures by which the house is judged, as a table. `--findings` also lists what the style
// forbids.
import { parseArgs } from "node:util";
import { longFunctions } from "./functions.ts";
import { commentFaults, literalSpreads, namesDefinedTwice } from "./language.ts";
import { circlesOf, circlesOfFiles, importsBetweenRooms, roomOf } from "./rooms.ts";
import { readSources } from "./sources.ts";

const { values } = parseArgs({ options: { findings: { type: "boolean", default: false } } });
const sources = readSources();
const imports = sources.flatMap((source) => source.imports);
const lengths = sources.map(({ lines }) => lines.length);
const functions = sources.flatMap(({ path, functions }) => functions.map((each) => ({ ...each, path })));
const twice = namesDefinedTwice(sources);
const betweenRooms = importsBetweenRooms(sources);
const roomCircles = (edges: typeof betweenRooms) =>
  circlesOf(edges)
    .map((rooms) => rooms.length)
    .join(", ") || "none";

print("figure", "value");
print("---", "---");
print("files", sources.length);
print("lines", sum(lengths));
print("lines of a file: median, p90, longest", at(lengths, 0.5), at(lengths, 0.9), Math.max(...lengths));
const extents = functions.map(({ lines }) => lines);
print("lines of a function: median, p90, over 60", at(extents, 0.5), at(extents, 0.9), count(extents, 60));
for (const { path, name, lines } of functions.sort((a, b) => b.lines - a.lines).slice(0, 5)) {
  print("longest function", `${lines} ${path} ${name}`);
}
print("exported names in more than one file", twice.size);
print("of these, types", namesDefinedTwice(sources, true).size);
print("literal spreads", literalSpreads(sources).length);
print("comments", sum(sources.map(({ comments }) => comments.length)));
for (const [name, faultsIn] of Object.entries(commentFaults)) print(name, faultsIn(sources).length);
print("imports between rooms: of values, of types", ...(["values", "types"] as const).map(importsOf));
print("circles of files by value", circlesOfFiles(imports, false).length);
print("circles of files by type", circlesOfFiles(imports, true).length);
print("of these, in more than one room", circlesOfFiles(imports, true).filter(isOverRooms).length);
print("rooms in circles by value", roomCircles(betweenRooms.filter(({ values }) => values > 0)));
print("rooms in circles by type", roomCircles(betweenRooms));
if (values.findings) printFindings();

function printFindings(): void {
  const commented = [...sources, ...readSources(["test"])];
  const inComments = Object.values(commentFaults).flatMap((faultsIn) => faultsIn(commented));
  for (const { place, text } of [...inComments, ...literalSpreads(sources), ...longFunctions(sources)]) {
    process.stdout.write(`${place}: ${text}\n`);
  }
  for (const [name, files] of twice) process.stdout.write(`${name}: ${files.join(" ")}\n`);
  for (const rooms of circlesOf(betweenRooms)) process.stdout.write(`circle of rooms: ${rooms.join(" ")}\n`);
  for (const files of circlesOfFiles(imports, true)) process.stdout.write(`circle of files: ${files.join(" ")}\n`);
}

function importsOf(kind: "values" | "types"): number {
  return sum(betweenRooms.map((each) => each[kind]));
}

function isOverRooms(files: readonly string[]): boolean {
  return new Set(files.map(roomOf)).size > 1;
}

function count(numbers: readonly number[], above: number): number {
  return numbers.filter((each) => each > above).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function at(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
}

function print(name: string, ...figures: readonly (string | number)[]): void {
  process.stdout.write(`| ${name} | ${figures.join(", ")} |\n`);
}
