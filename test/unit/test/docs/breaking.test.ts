// The comparison reports a change that breaks a client, and no other.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { asyncApiChanges } from "../../../docs/breaking/asyncapi-changes.ts";
import { checkContracts } from "../../../docs/breaking/check-contracts.ts";
import type { Change } from "../../../docs/breaking/finding.ts";
import { graphqlChanges } from "../../../docs/breaking/graphql-changes.ts";
import { KNOWN_KEYWORDS } from "../../../docs/breaking/json-schema.ts";
import { openApiChanges } from "../../../docs/breaking/openapi-changes.ts";
import { contractsIn, PUBLISHED, RELEASED } from "../../../docs/contracts.ts";
import { ROOT } from "../../../structure/repository.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test changes any member of a document.
type Any = any;

const published = contractsIn(`${ROOT}${PUBLISHED}`);

const breaks = (changes: readonly Change[]) => changes.filter(({ isBreaking }) => isBreaking).map(({ text }) => text);
const notes = (changes: readonly Change[]) => changes.filter(({ isBreaking }) => !isBreaking).map(({ text }) => text);

describe("GraphQL", () => {
  const before = `type Query { zone(id: ID!): Zone } enum Kind { A B } type Zone { name: String! kind: Kind }`;
  const changed = (from: string, to: string) => graphqlChanges(before, before.replace(from, to));

  test.each([
    ["a removed field", "name: String! ", "", "Zone.name was removed."],
    ["a value that may be null", "String!", "String", "Zone.name changed type from String! to String."],
    ["a required argument", "(id: ID!)", "(id: ID!, at: ID!)", "A required arg at on Query.zone was added."],
    ["a removed value of an enumeration", "A B", "A", "B was removed from enum type Kind."],
  ])("%s breaks", (_, from, to, text) => {
    expect(breaks(changed(from, to))).toEqual([text]);
  });

  test("a new field breaks nothing, and a new value of an enumeration is to note", () => {
    expect(changed("kind: Kind", "kind: Kind at: ID")).toEqual([]);
    expect(notes(changed("A B", "A B C"))).toEqual(["C was added to enum type Kind."]);
  });
});

/** A document with one operation, whose parts a test changes. */
const thing = () => ({
  paths: {
    "/things/{id}": {
      post: {
        operationId: "postThing",
        security: [],
        parameters: [{ name: "dry", in: "query", required: false, schema: { type: "boolean" } }] as Any[],
        requestBody: {
          required: false,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Wanted" } as Any } },
        },
        responses: {
          "200": {
            headers: { etag: {} } as Any,
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          "404": { content: {} },
        } as Any,
      },
    } as Any,
  } as Any,
  components: {
    schemas: {
      Wanted: {
        type: "object",
        properties: {
          name: { type: "string", maxLength: 20 },
          kind: { enum: ["a", "b"] },
          size: { anyOf: [{ type: "number" }, { type: "null" }] },
          inner: { $ref: "#/components/schemas/Wanted" },
        } as Any,
        required: ["name"],
      } as Any,
      Thing: {
        type: "object",
        properties: {
          name: { type: "string" },
          kind: { type: "string", enum: ["a", "b"] },
          at: { type: "string", format: "date-time" },
          list: { type: "array", items: { type: "integer" } },
        } as Any,
        required: ["name", "list"],
      } as Any,
    },
  },
});

type Thing = ReturnType<typeof thing>;
const operationOf = ({ paths }: Thing) => paths["/things/{id}"].post;
const wantedOf = ({ components }: Thing) => components.schemas.Wanted;
const answerOf = ({ components }: Thing) => components.schemas.Thing;

function changedThing(change: (document: Thing) => unknown) {
  const after = thing();
  change(after);
  return openApiChanges(thing(), after);
}

describe("OpenAPI", () => {
  test.each<[string, (document: Thing) => unknown, RegExp]>([
    ["a removed path", (all) => delete all.paths["/things/{id}"], /^POST \/things\/{id}: was removed$/],
    ["another operationId", (all) => (operationOf(all).operationId = "x"), /operationId postThing became x/],
    ["a token that is needed", (all) => (operationOf(all).security = [{ token: [] }]), /needs a token/],
    ["a removed parameter", (all) => (operationOf(all).parameters = []), /the parameter query dry was removed/],
    [
      "a required parameter",
      (all) => operationOf(all).parameters.push({ name: "at", in: "query", required: true, schema: {} }),
      /the parameter query at is required/,
    ],
    ["a required body", (all) => (operationOf(all).requestBody.required = true), /a body is required/],
    ["a body that is not taken", (all) => delete operationOf(all).requestBody, /application\/json was removed/],
    ["a removed answer", (all) => delete operationOf(all).responses["200"], /the answer 200 was removed/],
    ["a removed header", (all) => (operationOf(all).responses["200"].headers = {}), /the header etag was removed/],
    ["a required member of a body", (all) => wantedOf(all).required.push("size"), /Wanted.*\/size: is required/],
    ["a removed member of a body", (all) => delete wantedOf(all).properties.size, /\/size: was removed/],
    ["a word that is refused", (all) => wantedOf(all).properties.kind.enum.pop(), /\/kind: "b" is refused/],
    ["words only", (all) => (wantedOf(all).properties.name.enum = ["x"]), /\/name: only \["x"\] is accepted/],
    ["null that is refused", (all) => wantedOf(all).properties.size.anyOf.pop(), /\/size: null became number/],
    ["a tighter bound", (all) => (wantedOf(all).properties.name.maxLength = 10), /maxLength is 10, was 20/],
    ["a new bound", (all) => (wantedOf(all).properties.name.minLength = 1), /minLength is 1, was none/],
    ["a pattern", (all) => (wantedOf(all).properties.name.pattern = "^x"), /pattern is "\^x", was none/],
    ["refused members", (all) => (wantedOf(all).additionalProperties = false), /refuses members/],
    ["another type in a body", (all) => (wantedOf(all).properties.name.type = "number"), /string became number/],
    ["a removed member of an answer", (all) => delete answerOf(all).properties.at, /Thing.*\/at: was removed/],
    ["a member that may be missing", (all) => answerOf(all).required.pop(), /\/list: may be missing/],
    ["a value that may be null", (all) => (answerOf(all).properties.name.type = ["string", "null"]), /became null/],
    ["another format", (all) => delete answerOf(all).properties.at.format, /format date-time became none/],
    [
      "a list of other items",
      (all) => (answerOf(all).properties.list.items.type = "number"),
      /\/list\/\*: integer became/,
    ],
    ["any word", (all) => delete answerOf(all).properties.kind.enum, /\/kind: may be other than/],
  ])("%s breaks", (_, change, text) => {
    const found = breaks(changedThing(change));

    expect(found.length).toBeGreaterThan(0);
    for (const each of found) expect(each).toMatch(text);
  });

  test.each<[string, (document: Thing) => unknown]>([
    ["a new path", (all) => (all.paths["/x"] = {})],
    ["a parameter that may be left out", (all) => operationOf(all).parameters.push({ name: "at", in: "query" })],
    ["a member that may be left out", (all) => (wantedOf(all).properties.more = { type: "string" })],
    ["a member that is no longer required", (all) => (wantedOf(all).required = [])],
    ["a further word", (all) => wantedOf(all).properties.kind.enum.push("c")],
    ["a wider bound", (all) => (wantedOf(all).properties.name.maxLength = 30)],
    ["a wider type", (all) => wantedOf(all).properties.size.anyOf.push({ type: "string" })],
    ["a new member of an answer", (all) => (answerOf(all).properties.more = { type: "string" })],
    ["a member that is always there", (all) => answerOf(all).required.push("at")],
    ["a narrower list", (all) => answerOf(all).properties.kind.enum.pop()],
    ["another refusal", (all) => (operationOf(all).responses["409"] = { content: {} })],
    ["a refusal less", (all) => delete operationOf(all).responses["404"]],
  ])("%s breaks nothing", (_, change) => {
    expect(changedThing(change)).toEqual([]);
  });

  test("a further word of an answer is to note", () => {
    const changes = changedThing((all) => answerOf(all).properties.kind.enum.push("c"));

    expect([breaks(changes), notes(changes)]).toEqual([[], ['Thing (answered)/kind: may be "c"']]);
  });

  test("the comparison knows every keyword of the published schemas", () => {
    const { paths, components } = JSON.parse(published.openApi);
    const keywords = [...keywordsIn({ paths, schemas: components.schemas })];

    expect(keywords).toEqual(expect.arrayContaining(["anyOf", "maxLength", "required"]));
    expect(keywords.filter((name) => !KNOWN_KEYWORDS.has(name))).toEqual([]);
  });
});

/** Members of schemas: whatever is below `schema`, `schemas`, `properties` and the keywords that hold schemas. */
function keywordsIn(value: Any, role: "document" | "schema" | "schemas" = "document"): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((each) => [...keywordsIn(each, role)]));
  if (typeof value !== "object" || value === null) return new Set();
  const found = Object.entries(value).flatMap(([name, inner]) => {
    if (role === "schemas") return [...keywordsIn(inner, "schema")];
    if (role === "document") return [...keywordsIn(inner, roleOf(name))];
    const isHolder = ["items", "anyOf", "oneOf", "additionalProperties", "prefixItems", "propertyNames"].includes(name);
    const nested = name === "properties" ? keywordsIn(inner, "schemas") : isHolder ? keywordsIn(inner, "schema") : [];
    return [name, ...nested];
  });
  return new Set(found);
}

const roleOf = (member: string) => (member === "schema" ? "schema" : member === "schemas" ? "schemas" : "document");

const log = parse(published.asyncApi);

function changedLog(change: (document: Any) => unknown) {
  const after = structuredClone(log);
  change(after);
  return asyncApiChanges(log, after);
}

const topicOf = ({ channels }: Any) => channels["camera-log"];
const expiredOf = ({ components }: Any) => components.messages.TrackExpired;
const fieldOf = (document: Any, name: string) =>
  expiredOf(document).payload.schema.fields.find((field: Any) => field.name === name);

describe("the log", () => {
  test.each<[string, (document: Any) => unknown, RegExp]>([
    ["a removed topic", (all) => delete all.channels.videos, /^topic videos: was removed$/],
    ["another name of a topic", (all) => (topicOf(all).address = "cameras"), /address camera-log became cameras/],
    ["another key", (all) => (topicOf(all)["x-key"] = "trackId"), /key dataSourceId became trackId/],
    ["another partitioner", (all) => (topicOf(all)["x-partitioner"] = "crc32"), /partitioner murmur2 became crc32/],
    ["other partitions", (all) => (topicOf(all).bindings.kafka.partitions = 24), /partitions 12 became 24/],
    [
      "compaction",
      (all) => (topicOf(all).bindings.kafka.topicConfiguration["cleanup.policy"] = ["compact"]),
      /cleanup.policy delete became compact/,
    ],
    [
      "a shorter retention",
      (all) => (topicOf(all).bindings.kafka.topicConfiguration["retention.ms"] = 1),
      /keeps messages for a shorter time/,
    ],
    ["a removed message", (all) => delete topicOf(all).messages.TrackUpdated, /TrackUpdated was removed/],
    ["producers without a right", (all) => (topicOf(all)["x-writers"] = ["api"]), /producers may not write to it/],
    ["another subject", (all) => (expiredOf(all)["x-registry-subject"] = "x"), /x-registry-subject .* became x/],
    ["a removed header", (all) => delete expiredOf(all).headers.properties.ce_id, /headers\/ce_id: was removed/],
    ["another key type", (all) => (expiredOf(all).bindings.kafka.key.type = "integer"), /key: string became integer/],
    [
      "a field without a default",
      (all) => expiredOf(all).payload.schema.fields.push({ name: "camera", type: "string" }),
      /readers of the new schema cannot read old messages .*camera/,
    ],
    [
      "a removed field that old readers need",
      (all) => expiredOf(all).payload.schema.fields.shift(),
      /readers of the old schema cannot read new messages/,
    ],
    ["another type of a field", (all) => (fieldOf(all, "endTime").type = "string"), /cannot read/],
  ])("%s breaks", (_, change, text) => {
    const found = breaks(changedLog(change));

    expect(found.length).toBeGreaterThan(0);
    expect(found.join("; ")).toMatch(text);
  });

  test.each<[string, (document: Any) => unknown]>([
    ["a new topic", (all) => (all.channels.more = topicOf(all))],
    ["a new message", (all) => (topicOf(all).messages.More = {})],
    ["a new header", (all) => (expiredOf(all).headers.properties.more = { type: "string" })],
    [
      "a field with a default",
      (all) => expiredOf(all).payload.schema.fields.push({ name: "camera", type: "string", default: "" }),
    ],
    ["a longer retention", (all) => (topicOf(all).bindings.kafka.topicConfiguration["retention.ms"] = -1)],
  ])("%s breaks nothing", (_, change) => {
    expect(changedLog(change)).toEqual([]);
  });
});

describe("the command", () => {
  /** A repository with one commit that has the contracts of today, also as those of the release. */
  function createRepository(): string {
    const repository = mkdtempSync(join(tmpdir(), "tracklog-contracts-"));
    onTestFinished(() => rmSync(repository, { recursive: true, force: true }));
    mkdirSync(join(repository, "docs"));
    cpSync(join(ROOT, PUBLISHED), join(repository, PUBLISHED), { recursive: true });
    cpSync(join(ROOT, PUBLISHED), join(repository, RELEASED), {
      recursive: true,
      filter: (path) => !path.endsWith("released"),
    });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@localhost", ...args], { cwd: repository });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "contracts");
    return repository;
  }

  const addArgument = (repository: string) => {
    const file = join(repository, PUBLISHED, "schema.graphql");
    writeFileSync(file, readFileSync(file, "utf8").replace(" zone(\n    id: ID!", " zone(\n    id: ID!\n    at: ID!"));
  };

  test("compares with the last release, or with a commit", () => {
    const repository = createRepository();
    const since = (what: string) => `breaking changes since ${what}, 0 to note`;
    expect(checkContracts({ repository, against: undefined })).toEqual({
      isBroken: false,
      lines: [`0 ${since("the last release")}`],
    });

    addArgument(repository);

    const fault = "breaks: GraphQL: A required arg at on Query.zone was added.";
    expect(checkContracts({ repository, against: undefined }).lines).toEqual([fault, `1 ${since("the last release")}`]);
    expect(checkContracts({ repository, against: "HEAD" })).toEqual({
      isBroken: true,
      lines: [fault, `1 ${since("HEAD")}`],
    });
    expect(() => checkContracts({ repository, against: "nowhere" })).toThrow("nowhere");
  });

  test("ends with 1 when something breaks", { timeout: 60_000 }, () => {
    const repository = createRepository();
    addArgument(repository);

    const { status, stdout } = spawnSync(
      process.execPath,
      [`${ROOT}test/docs/breaking/main.ts`, "--repository", repository],
      { encoding: "utf8" },
    );

    expect([status, stdout]).toEqual([1, expect.stringContaining("breaks: GraphQL: A required arg at on Query.zone")]);
  });
});
