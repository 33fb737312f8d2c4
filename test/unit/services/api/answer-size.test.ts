import { constants } from "node:buffer";
import { expect, test } from "vitest";
import { isLargerThan, MOST_ANSWER_BYTES } from "../../../../services/api/graphql/answer-size.ts";
import { toJson } from "../../../../services/api/graphql/execute.ts";
import { createEntityApi } from "./entity-api.ts";

const MAX = 10_000;
const sites = (aliases: number) =>
  `{ ${Array.from({ length: aliases }, (_, i) => `s${i}: site(id: "s") { id name }`).join(" ")} }`;

test("an answer beyond its bytes is refused as a whole, and says what a mutation wrote", async () => {
  const { ask, data } = await createEntityApi({ env: { API_MAX_ANSWER_BYTES: String(MAX) } });
  const name = "ü".repeat(400);
  await data('mutation ($name: String!) { createSite(site: { id: "s", name: $name }) { id } }', { name });

  const refused = {
    data: null,
    errors: [{ message: expect.stringContaining("10000 bytes"), extensions: { code: "BAD_USER_INPUT" } }],
  };

  expect((await ask(sites(11))).body.data.s10.name).toBe(name);
  expect((await ask(sites(13))).body).toMatchObject(refused);
  const fields = Array.from({ length: 13 }, (_, i) => `n${i}: name`).join(" ");
  const { body } = await ask(`mutation { updateSite(site: { id: "s", timezone: "UTC" }) { ${fields} } }`);
  expect(body).toMatchObject(refused);
  expect(body.extensions.position).toMatch(/^catalog:0:/);
});

test("what is not too large fits into one string, even if every byte is escaped", () => {
  const value = { text: "\u0001".repeat(1_000) };
  const written = toJson({ type: "answer", executed: true, data: value }, []).length;

  expect(isLargerThan(1_100, value)).toBe(false);
  expect((written / 1_000) * MOST_ANSWER_BYTES).toBeLessThan(constants.MAX_STRING_LENGTH);
});

test.each([
  ["texts", ["a".repeat(60), "b".repeat(60)]],
  ["numbers", Array.from({ length: 30 }, () => 12_345)],
  ["missing values", Array.from({ length: 60 }, () => null)],
  ["names of members", Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`member${i}`, 1]))],
  ["lists of nothing", Array.from({ length: 60 }, () => [])],
])("%s are counted", (_case, value) => {
  expect(isLargerThan(100, value)).toBe(true);
  expect(isLargerThan(JSON.stringify(value).length, value)).toBe(false);
});

test("an answer that is nested too deeply is refused, not an error of ours", () => {
  let data: unknown = {};
  for (let i = 0; i < 100_000; i++) data = { data };

  expect(JSON.parse(toJson({ type: "answer", executed: true, data }, []))).toMatchObject({
    data: null,
    errors: [{ extensions: { code: "BAD_USER_INPUT" } }],
  });
});
