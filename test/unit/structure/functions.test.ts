import { expect, test } from "vitest";
import { longFunctions } from "../../structure/functions.ts";
import { readSource, readSources } from "../../structure/sources.ts";

test("no function has more than 60 lines, but tables may", () => {
  expect(longFunctions(readSources())).toEqual([]);
});

const filled = (line: string) => `${line}\n`.repeat(60);

test("a table is a returned object literal without statements in it", () => {
  const table = `export const a = () => ({\n${filled("  x: (y: number) => y,")}});`;
  const factory = `export const b = () => ({\n${filled("  x: 1,")}  y() {\n    return 2;\n  },\n});`;
  const prepared = `export function c() {\n  const x = 1;\n  return {\n${filled("    x,")}  };\n}`;

  const found = longFunctions([readSource("services/api/x.ts", `${table}\n${factory}\n${prepared}\n`)]);

  expect(found.map(({ text }) => text)).toEqual(["b has 65 lines", "c has 65 lines"]);
});

test("a method counts as a function", () => {
  const text = `class A {\n  #b(): void {\n${filled("    f();")}  }\n\n  c = () => {\n${filled("    f();")}  };\n}\n`;

  expect(longFunctions([readSource("services/api/x.ts", text)])).toEqual([
    { place: "services/api/x.ts:2", text: "#b has 62 lines" },
    { place: "services/api/x.ts:65", text: "c has 62 lines" },
  ]);
});
