// docs/api and docs/configuration.md are those of the code, and valid by the tools of their formats.
import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { buildSchema, validateSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { typeDefs } from "../../services/api/graphql/sdl.ts";
import { variablesBySection } from "../docs/configuration.ts";
import { configuredProcesses } from "../docs/configurations.ts";
import { contractsIn, PUBLISHED, RELEASED } from "../docs/contracts.ts";
import { generatedDocs } from "../docs/generated.ts";
import { asyncApiFaults } from "../docs/validate-asyncapi.ts";
import { ROOT } from "../structure/repository.ts";
import { factsOf } from "./facts.ts";

const published = contractsIn(`${ROOT}${PUBLISHED}`);
const generated = await generatedDocs();

test.each([...generated])("%s is what `npm run docs` writes", (path, content) => {
  expect(readFileSync(`${ROOT}${path}`, "utf8") === content, `${path} is old: run npm run docs`).toBe(true);
});

describe("GraphQL", () => {
  test("the published schema is valid, and has every type and member of the one that the API serves", () => {
    const schema = buildSchema(published.sdl);

    expect(validateSchema(schema)).toEqual([]);
    expect(published.sdl).not.toMatch(/^extend /m);
    expect([...factsOf(schema)].sort()).toEqual([...factsOf(buildSchema(typeDefs))].sort());
  });
});

describe("OpenAPI", () => {
  test("the published document is valid", async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(published.openApi));

    expect([errors, valid]).toEqual([undefined, true]);
  });
});

describe("AsyncAPI", () => {
  test("the published document is valid", () => {
    expect(asyncApiFaults(parse(published.asyncApi))).toEqual([]);
  });

  test.each([
    ["a misspelt member of a channel", "address: camera-log", "adress: camera-log", "adress"],
    ["a misspelt member of a message", "contentType: avro/binary", "contenttype: avro/binary", "contenttype"],
    ["a misspelt binding", "schemaIdLocation: payload", "schemaIdPlace: payload", "schemaIdPlace"],
    ["an unknown action", "action: receive", "action: take", "/action must be"],
    [
      "a reference that leads nowhere",
      "components/messages/TrackCreated",
      "components/messages/TrackMade",
      "TrackMade leads nowhere",
    ],
    ["an unknown Avro type", "type: double", "type: dubble", "dubble"],
  ])("%s is refused", (_, right, wrong, fault) => {
    const changed = published.asyncApi.replace(right, wrong);

    expect(changed).not.toBe(published.asyncApi);
    expect(asyncApiFaults(parse(changed)).join("; ")).toContain(fault);
  });
});

test("the reference pages link to places that they have, and load nothing", () => {
  const pages = [...generated].filter(([path]) => path.endsWith(".html"));

  expect(pages).toHaveLength(3);
  for (const [path, page] of pages) {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size, path).toBe(ids.length);
    expect(links.length).toBeGreaterThan(50);
    expect(
      links.filter((id) => !ids.includes(id)),
      path,
    ).toEqual([]);
    expect(page, path).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
  }
});

test("the contracts of the last release are valid", async () => {
  const released = contractsIn(`${ROOT}${RELEASED}`);

  expect(validateSchema(buildSchema(released.sdl))).toEqual([]);
  expect((await new Validator().validate(JSON.parse(released.openApi))).valid).toBe(true);
  expect(asyncApiFaults(parse(released.asyncApi))).toEqual([]);
});

describe("the configuration manual", () => {
  const entries = [...variablesBySection()].flatMap(([section, variables]) =>
    variables.map((variable) => ({ ...variable, section })),
  );

  test("has every variable of every process once; only the launcher's section repeats some", () => {
    const names = new Set(configuredProcesses.flatMap(({ config }) => Object.keys(config.shape)));
    const own = entries.filter(({ section }) => section.isOfLauncher !== true).map(({ name }) => name);
    const all = new Set(entries.map(({ name }) => name));

    expect(names.size).toBeGreaterThan(150);
    expect([...all].sort()).toEqual([...names].sort());
    expect(new Set(own).size).toBe(own.length);
  });

  test("every variable has a meaning in sentences, and a process that reads it", () => {
    const isSentence = (text: string) => /^(?!(?:Of|By|As|What|Who|Where)\b)[A-Z`].*\.$/.test(text);

    expect(entries.filter(({ about }) => !isSentence(about)).map(({ name }) => name)).toEqual([]);
    expect(entries.filter(({ readBy }) => readBy.length === 0).map(({ name }) => name)).toEqual([]);
  });

  test("every number has a unit", () => {
    const numbers = entries.filter(({ fallback }) => typeof fallback === "number");

    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers.filter(({ unit }) => unit === "").map(({ name }) => name)).toEqual([]);
  });
});
