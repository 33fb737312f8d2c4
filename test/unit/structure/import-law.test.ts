// schemas <- projections <- services; services/common <- services/recorded <- services/*; a service imports no other
// service.
import { expect, test } from "vitest";
import { buildingOf } from "../../structure/rooms.ts";
import { type Import, readSources } from "../../structure/sources.ts";

const sources = readSources();
const imports = sources.flatMap((source) => source.imports);

const filesWith = (pattern: RegExp): string[] =>
  sources.flatMap(({ path, lines }) => (lines.some((line) => pattern.test(line)) ? [path] : []));

function isLawful({ from, to }: Import): boolean {
  const [importer, imported] = [buildingOf(from), buildingOf(to)];
  if (importer === imported) return true;
  if (importer === "schemas") return false;
  if (importer === "projections") return imported === "schemas";
  if (importer === "services/common") return imported === "schemas";
  if (imported === "services/recorded") return true;
  return imported === "schemas" || imported === "projections" || imported === "services/common";
}

test("every import points down the layers", () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.filter((each) => !isLawful(each))).toEqual([]);
  // `imports` has no imports within expressions, so there may be none, besides what most
  // processes or pages never need.
  expect(filesWith(/\bimport\s*\(\s*["'`]\./)).toEqual([
    "services/common/media/media.ts",
    "services/console/pages/routes.ts",
  ]);
  expect(filesWith(/\bimport\s*\(\s*["'`]\.\.\//)).toEqual([]);
});

test("a file with routes of the REST interface takes their schemas from schemas/rest", () => {
  const withRoutes = filesWith(/route\(\{/).filter((path) => path.startsWith("services/state-api/"));

  expect(withRoutes.length).toBeGreaterThan(5);
  expect(filesWith(/from "zod"/).filter((path) => withRoutes.includes(path))).toEqual([
    "services/state-api/http/server.ts",
  ]);
});

test("no room of the REST interface imports the files above the rooms", () => {
  const isAbove = (file: string) => /^services\/state-api\/[^/]+$/.test(file);
  const upwards = imports.filter(
    ({ from, to }) => from.startsWith("services/state-api/") && !isAbove(from) && isAbove(to),
  );

  expect(upwards).toEqual([]);
});

test("only a config file or a main reads the environment", () => {
  const readers = filesWith(/process\.env\b/);

  expect(readers.filter((path) => !/(^|\/)(main|config|migrate|rebuild)\.ts$/.test(path))).toEqual([]);
});

/** A pure module may use these of Node: they compute without a store, a socket, a file or a clock. */
const PURE_MODULES = ["node:crypto"];
/** They ask ClickHouse, or bring its tables up to date. */
const ASKS_THE_STORE = /^projections\/history\/(queries|migrations)\//;

test("the contract and the folds use no client, no file, no socket and no clock", () => {
  const pure = sources.filter(({ path }) => !path.startsWith("services/") && !ASKS_THE_STORE.test(path));
  const clients = /^(node:|@clickhouse\/|@kafkajs\/|kafkajs$|ioredis$|fastify$|mercurius$|pino$|ws$)/;
  const impure = pure.flatMap(({ path, lines }) => {
    const text = lines.join("\n");
    const modules = [...text.matchAll(/from "([^".][^"]*)"/g)].map(([, module = ""]) => module);
    const used = modules.filter((module) => clients.test(module) && !PURE_MODULES.includes(module));
    const clocks =
      text.match(/\b(Date\.now|performance\.now|setTimeout|setInterval|setImmediate)\b|new Date\(\)/g) ?? [];
    return [...used, ...clocks].map((what) => `${path}: ${what}`);
  });

  expect(impure).toEqual([]);
});
