// The OpenAPI document tells callers the meaning of every value, and the reasons for every refusal.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Problem, type ProblemKind } from "../../../../../services/state-api/http/problem.ts";
import { serveUnstarted } from "../unstarted.ts";

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly Json[];
  readonly responses: Readonly<Record<string, Json>>;
}

const document = (await serveUnstarted().inject({ method: "GET", url: "/openapi.json" })).json();

const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, ofPath]) =>
  Object.entries(ofPath).map(([method, operation]) => ({ name: `${method} ${path}`, method, path, ...operation })),
);

/** Names that say all there is to know, wherever they occur. */
const SELF_EXPLAINING: ReadonlySet<string> = new Set(["tag", "track_id", "zone_id", "zone_name"]);

interface Described {
  readonly where: string;
  readonly name: string;
  readonly text: string;
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** The description of a schema, or of the component that it names. */
function textOf({ description, $ref }: Json): string {
  if (typeof description === "string") return description;
  return typeof $ref === "string" ? textOf(resolve($ref)) : "";
}

function resolve(reference: string): Json {
  const found = reference
    .split("/")
    .slice(1)
    .reduce<unknown>((value, part) => (isObject(value) ? value[part] : undefined), document);
  return isObject(found) ? found : {};
}

/** The members of all schemas in a part of the document, and its parameters. */
function describedIn(part: unknown, where: string): Described[] {
  if (!isObject(part)) return [];
  const own = (name: string, schema: unknown): Described[] =>
    isObject(schema) ? [{ where: `${where}/${name}`, name, text: textOf(schema) }] : [];
  const members = isObject(part["properties"]) ? Object.entries(part["properties"]) : [];
  const { name } = part;
  return [
    ...members.flatMap(([member, schema]) => own(member, schema)),
    ...(typeof name === "string" && "in" in part && "schema" in part ? own(name, part) : []),
    // The object of members is no schema, and one of the members may be called "properties".
    ...members.flatMap(([member, schema]) => describedIn(schema, `${where}/properties/${member}`)),
    ...Object.entries(part).flatMap(([key, value]) =>
      key === "properties" ? [] : describedIn(value, `${where}/${key}`),
    ),
  ];
}

const described = describedIn(document, "#");

test("every member and every parameter has a description, unless its name says all", () => {
  const bare = described.filter(({ name, text }) => text === "" && !SELF_EXPLAINING.has(name));

  expect(described.length).toBeGreaterThan(400);
  expect(bare.map(({ where }) => where)).toEqual([]);
});

test("every name that needs no description occurs without one", () => {
  const bare = new Set(described.filter(({ text }) => text === "").map(({ name }) => name));

  expect([...SELF_EXPLAINING].filter((name) => !bare.has(name))).toEqual([]);
});

const FILLERS = ["a", "an", "and", "are", "as", "at", "by", "for", "in", "is", "its", "of", "on", "the", "this", "to"];

/** Words in lower case, without the s of a plural. */
const wordsOf = (text: string): string[] => (text.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => stemOf(word));
const stemOf = (word: string): string => (word.length > 3 ? word.replace(/s$/, "") : word);

const repeats = (name: string, text: string): boolean => {
  const known = new Set([...wordsOf(name), ...FILLERS]);
  return wordsOf(text).every((word) => known.has(word));
};

test("no description repeats the name and nothing else", () => {
  expect(repeats("zone_name", "The name of the zone.")).toBe(true);
  expect(repeats("dwell_time", "Dwell time, seconds")).toBe(false);
  expect(described.filter(({ name, text }) => text !== "" && repeats(name, text))).toEqual([]);
  expect(operations.filter(({ path, summary }) => repeats(path, summary))).toEqual([]);
});

/** A sentence, or a value with a colon and its meaning. */
const BEGINNING = /^(?!(?:Of|By|As|What|Who|Where)\b)(?:[A-Z`]|[a-z_]+: |true |false )/;

test("no description is a fragment that continues the name", () => {
  const texts = described.map(({ text }) => text).filter((text) => text !== "");

  expect(texts.filter((text) => !BEGINNING.test(text))).toEqual([]);
  expect(texts.filter((text) => /\.\.|undefined/.test(text))).toEqual([]);
});

test.each(operations)("$name has a summary, a description, and a reason for every answer", (operation) => {
  const { summary, description, responses } = operation;
  const besidesScope = description.replace(/The token needs the scope [^.]*\./, "").trim();

  expect(summary).toMatch(/^[A-Z].*[^.]$/);
  expect(besidesScope).toMatch(/^[A-Z].*\.$/s);
  for (const [status, answer] of Object.entries(responses)) {
    expect([status, textOf(answer)]).toEqual([status, expect.stringMatching(/^[A-Z].*\.$/s)]);
  }
});

test.each(operations)("$name lists the refusals that follow from its parts", (operation) => {
  const { method, path, security, parameters = [], responses } = operation;
  const isClosed = security.length > 0;
  const expected = [
    ...(method !== "get" || parameters.length > 0 ? ["400"] : []),
    ...(isClosed ? ["401", "403", "503"] : []),
    ...(method === "get" && path.includes("{") ? ["404"] : []),
    ...(method === "get" ? [] : ["413", "415"]),
  ];

  expect(Object.keys(responses)).toEqual(expect.arrayContaining([...expected, "default"]));
  for (const status of ["429", "503"]) {
    const answer = responses[status];
    if (answer === undefined) continue;
    const { headers } = typeof answer["$ref"] === "string" ? resolve(answer["$ref"]) : answer;
    expect(headers).toHaveProperty("retry-after.description");
  }
});

const folder = new URL("../../../../../services/state-api/", import.meta.url);

/** The parts of the interface that each folder with routes serves. */
const servedBy: Readonly<Record<string, readonly string[]>> = {
  "chronicle-query": ["chronicles"],
  deliveries: ["subscriptions"],
  detections: ["tracks"],
  events: ["events"],
  live: ["tracks", "zones"],
  replay: ["replay"],
  subscriptions: ["subscriptions"],
};

const codeOf = (room: string): string =>
  readdirSync(new URL(`${room}/`, folder))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(new URL(`${room}/${file}`, folder), "utf8"))
    .join("\n");

/** The ways in which code refuses, with the status of each. */
const refusals: readonly (readonly [RegExp, (kind: string) => number])[] = [
  [/new Problem\(\s*"([a-z-]+)"/g, (kind) => new Problem(kind as ProblemKind, "").status],
  [/\b(badInput)\(/g, () => 400],
  [/\b(notFound)\(/g, () => 404],
  [/\b(upstreamFailed)\(/g, () => 502],
  [/\b(?:unavailable|upstreamBusy)\(/g, () => 503],
];

test("the folders with routes are known", () => {
  const rooms = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  const withRoutes = rooms.map(({ name }) => name).filter((room) => /\broute\(\{/.test(codeOf(room)));

  expect(withRoutes.filter((room) => room !== "http").sort()).toEqual(Object.keys(servedBy).sort());
});

test.each(Object.entries(servedBy))("what the code of %s refuses is listed by an operation of it", (room, tags) => {
  const own = operations.filter((operation) => operation.tags.some((tag) => tags.includes(tag)));
  const listed = new Set(own.flatMap(({ responses }) => Object.keys(responses)));
  const code = codeOf(room);
  const statuses = refusals.flatMap(([pattern, statusOf]) =>
    [...code.matchAll(pattern)].map(([, kind = ""]) => `${statusOf(kind)}`),
  );

  expect(own.length).toBeGreaterThan(0);
  expect(statuses.filter((status) => !listed.has(status))).toEqual([]);
});
