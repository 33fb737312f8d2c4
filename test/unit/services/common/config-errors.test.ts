// An operator who has set a variable wrong reads its name and its allowed values, in plain words.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { ConfigError, integer, loadConfig } from "../../../../services/common/config.ts";

const services = fileURLToPath(new URL("../../../../services/", import.meta.url));
const files = readdirSync(services, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(^|\/)config\.ts$/.test(file),
);

/** Every configuration: [name, schema]. */
const configs: (readonly [string, z.ZodObject])[] = [];
for (const file of files) {
  const exported: Record<string, unknown> = await import(`${services}${file}`);
  for (const [name, value] of Object.entries(exported)) if (value instanceof z.ZodObject) configs.push([name, value]);
}

/** Valid for the variables that accept any text, and for no other. */
const WRONG = ["not what is wanted,", "-1.5", "1e99", "//"];

function problemsOf(schema: z.ZodObject, env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(schema, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n");
  }
}

test("every configuration is looked at", () => {
  expect(configs.map(([name]) => name)).toEqual(
    expect.arrayContaining(["apiEnv", "kafkaEnv", "launcherEnv", "tokensEnv"]),
  );
});

test.each(configs)("%s says of every variable what it wants, in plain words", (_, schema) => {
  const names = Object.keys(schema.shape);
  for (const wrong of WRONG) {
    const [title, ...problems] = problemsOf(schema, Object.fromEntries(names.map((name) => [name, wrong])));

    if (title !== undefined) expect(title).toBe("The configuration is not usable:");
    for (const problem of problems) expect(problem).toMatch(/^ {2}[A-Z][A-Z_]+ (wants (?!another)[a-z]|must not )/);
    expect(problems.join("\n")).not.toMatch(/invalid|expected|received|undefined|too (small|big)|regex|pattern/i);
  }
});

test.each(configs)("%s says of every variable that it needs and does not get what it wants", (_, schema) => {
  const [, ...problems] = problemsOf(schema, {});
  const needed = Object.entries(schema.shape).flatMap(([name, each]) =>
    z.safeParse(each, undefined).success ? [] : [name],
  );

  expect(problems.map((problem) => / (\w+) is not set: it wants (?!another)[a-z]/.exec(problem)?.[1])).toEqual(needed);
});

test.each<[string, z.ZodObject, NodeJS.ProcessEnv, string]>([
  ["a range", z.object({ N: integer(1, 0, 9) }), { N: "10" }, "N wants a whole number from 0 to 9"],
  ["a lower bound", z.object({ N: integer(1, 1) }), { N: "0" }, "N wants a whole number of at least 1"],
  ["a digit too many", z.object({ N: integer(1, 1) }), { N: "1.5" }, "N wants a whole number of at least 1"],
])("%s is named", (_, schema, env, problem) => {
  expect(problemsOf(schema, env).slice(1)).toEqual([`  ${problem}`]);
});

test("a variable that is set to nothing is not set", () => {
  const [name = "", schema = z.object({})] = configs.find(([each]) => each === "kafkaEnv") ?? [];

  expect(name).toBe("kafkaEnv");
  expect(problemsOf(schema, { KAFKA_BROKERS: "" })[1]).toBe(
    "  KAFKA_BROKERS is not set: it wants host:port, several separated by commas",
  );
});

test("what a variable holds is not repeated: it may be a password", () => {
  const [, schema = z.object({})] = configs.find(([each]) => each === "redisEnv") ?? [];

  expect(problemsOf(schema, { REDIS_URL: "redis//:secret@host" }).join()).not.toContain("secret");
});

const secret = z.object({ SECRET: z.string().describe("a secret") });

function fileWith(content: string): string {
  const dir = mkdtempSync(join(tmpdir(), "tracklog-config-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, "secret");
  writeFileSync(file, content);
  return file;
}

test.each([
  ["a line", "hidden\n"],
  ["a line of Windows", "hidden\r\n"],
  ["no line end", "hidden"],
])("a variable is read from the file that its _FILE names: %s", (_, content) => {
  expect(loadConfig(secret, { SECRET_FILE: fileWith(content) })).toEqual({ SECRET: "hidden" });
});

test("a _FILE that is set to nothing is not set", () => {
  expect(loadConfig(z.object({ SECRET: z.string().default("none") }), { SECRET_FILE: "" })).toEqual({ SECRET: "none" });
});

test("a variable is not set twice, and a file that cannot be read is named", () => {
  const both = { SECRET: "a", SECRET_FILE: fileWith("b") };

  expect(problemsOf(secret, both)).toEqual(["SECRET and SECRET_FILE are both set: set one of them."]);
  expect(problemsOf(secret, { SECRET_FILE: "/nowhere" })).toEqual([
    "SECRET_FILE names no file that can be read: /nowhere",
  ]);
});
