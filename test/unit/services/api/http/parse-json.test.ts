import { expect, test } from "vitest";
import { parseInSlices, parseJson } from "../../../../../services/api/http/parse-json.ts";
import { keptBy } from "../../../../support/running/kept-by.ts";
import { createRandom, type Random } from "../../../projections/live/random-log.ts";

const texts = [
  "1",
  " -0.5e+3 ",
  "-0",
  "true",
  "null",
  '"a\\u00e9\\n\\"ü"',
  "[]",
  "{}",
  "[[],{},[[]]]",
  '{"a": [1, 2.5, {"b": null}], "c": {"d": "]}"} }',
  '{"a": 1, "a": 2}',
  '{"__proto__": {"x": 1}, "constructor": 3, "": 4}',
  "\t\r\n[ 1 ,\n2 ]\n",
];

const points = [
  "[1, -2.5]",
  "[1.5,2,3]",
  "[1,2,3,4]",
  "[1]",
  "[1,null]",
  "[[1, 2],[3,[4,5]]]",
  '[1,2,"a"]',
  "[1,2,{}]",
];

const bad = [
  "[1 2]",
  "[1,2",
  "[1,2,]",
  "[1,2 3]",
  "[1,2,3",
  "[1,2}",
  "[-,2]",
  "",
  " ",
  "01",
  "+1",
  "1.",
  ".5",
  "1 2",
  "[1,]",
  "[,1]",
  "[1",
  "[1}",
  "]",
  '{"a"}',
  '{"a":1,}',
  "{a: 1}",
  "{1: 1}",
  "tru",
  "nulls",
  "NaN",
  '"a',
  '"\\x"',
  '"\u0001"',
  "'a'",
  '{"a":1]',
  "[1]]",
];

test.each([...texts, ...points, ...bad])("%j is read as JSON.parse reads it", async (text) => {
  expect(await outcomeOf(() => parseInSlices(text))).toEqual(await outcomeOf(async () => JSON.parse(text)));
});

test("random texts, whole and damaged, are read as JSON.parse reads them", async () => {
  const random = createRandom(17);
  for (let i = 0; i < 3_000; i++) {
    const text = JSON.stringify(value(random, 4), null, i % 3);
    const at = Math.floor(random() * text.length);
    const damaged = text.slice(0, at) + '[]{},:"\\01tn -e.'.charAt(Math.floor(random() * 16)) + text.slice(at + 1);

    for (const each of [text, damaged]) {
      expect(await outcomeOf(() => parseInSlices(each)), each).toEqual(await outcomeOf(async () => JSON.parse(each)));
    }
  }
});

test("nesting without end neither ends the stack nor takes the prototype", async () => {
  const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;

  expect(Array.isArray(await parseJson(deep))).toBe(true);
  expect(Object.getPrototypeOf(await parseInSlices('{"__proto__": []}'))).toBe(Object.prototype);
});

test("points that are read in slices take no more memory than those of JSON.parse", async () => {
  const text = JSON.stringify(Array.from({ length: 100_000 }, (_, i) => [i + 0.5, i % 7]));
  let points: unknown;

  const ofParse = await keptBy(async () => {
    points = JSON.parse(text);
  });
  const ofSlices = await keptBy(async () => {
    points = await parseInSlices(text);
  });

  expect(points).toHaveLength(100_000);
  expect(ofSlices).toBeLessThan(1.2 * ofParse);
});

async function outcomeOf(read: () => Promise<unknown>): Promise<unknown> {
  try {
    const value = await read();
    // Also distinguishes -0 from 0 and shows members named __proto__.
    return { value, text: JSON.stringify(value), isMinus: Object.is(value, -0) };
  } catch (error) {
    return error instanceof SyntaxError ? "refused" : error;
  }
}

function value(random: Random, depth: number): unknown {
  const kind = Math.floor(random() * (depth === 0 ? 4 : 6));
  if (kind === 0) return random() < 0.5 ? Math.floor(random() * 1_000) : (random() - 0.5) * 10 ** (random() * 40 - 20);
  if (kind === 1) return ["", 'a "quoted" \\ word', "ü\u2028\u0007", "__proto__"][Math.floor(random() * 4)];
  if (kind === 2) return random() < 0.5;
  if (kind === 3) return null;
  const size = Math.floor(random() * 4);
  if (kind === 4) return Array.from({ length: size }, () => value(random, depth - 1));
  return Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i} `, value(random, depth - 1)]));
}
