// schemas <- projections <- services; services/common <- services/*; a service imports no other service.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
}

const sources = ["schemas", "projections", "services"].flatMap((folder) =>
  readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file}`),
);

const imports: readonly Import[] = sources.flatMap((from) =>
  [...readFileSync(resolve(root, from), "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path]) => ({
    from,
    to: relative(root, resolve(root, dirname(from), path ?? "")),
  })),
);

const unitOf = (file: string): string => {
  const [layer = "", service = ""] = file.split("/");
  return layer === "services" ? `services/${service}` : layer;
};

function isLawful({ from, to }: Import): boolean {
  const [importer, imported] = [unitOf(from), unitOf(to)];
  if (importer === imported) return true;
  if (importer === "schemas") return false;
  if (importer === "projections") return imported === "schemas";
  if (importer === "services/common") return imported === "schemas";
  return imported === "schemas" || imported === "projections" || imported === "services/common";
}

test("every import points down the layers", () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.filter((each) => !isLawful(each))).toEqual([]);
});

test("a file with routes of the REST interface takes their schemas from schemas/rest", () => {
  const withRoutes = sources.filter(
    (file) => file.startsWith("services/state-api/") && readFileSync(resolve(root, file), "utf8").includes("route({"),
  );

  expect(withRoutes.length).toBeGreaterThan(5);
  expect(withRoutes.filter((file) => /from "zod"/.test(readFileSync(resolve(root, file), "utf8")))).toEqual([
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
  const readers = sources.filter((file) => /process\.env\b/.test(readFileSync(resolve(root, file), "utf8")));
  expect(readers.filter((file) => !/(^|\/)(main|config|migrate|rebuild)\.ts$/.test(file))).toEqual([]);
});

/** A pure module may use these of Node: they compute without a store, a socket, a file or a clock. */
const PURE_MODULES = ["node:crypto"];
/** They ask ClickHouse, or bring its tables up to date. */
const ASKS_THE_STORE = /^projections\/history\/(queries|migrations)\//;

test("the contract and the folds use no client, no file, no socket and no clock", () => {
  const pure = sources.filter((file) => !file.startsWith("services/") && !ASKS_THE_STORE.test(file));
  const clients = /^(node:|@clickhouse\/|@kafkajs\/|kafkajs$|ioredis$|fastify$|mercurius$|pino$|ws$)/;
  const impure = pure.flatMap((file) => {
    const text = readFileSync(resolve(root, file), "utf8");
    const modules = [...text.matchAll(/from "([^".][^"]*)"/g)].map(([, module = ""]) => module);
    const used = modules.filter((module) => clients.test(module) && !PURE_MODULES.includes(module));
    const clocks =
      text.match(/\b(Date\.now|performance\.now|setTimeout|setInterval|setImmediate)\b|new Date\(\)/g) ?? [];
    return [...used, ...clocks].map((what) => `${file}: ${what}`);
  });

  expect(impure).toEqual([]);
});
