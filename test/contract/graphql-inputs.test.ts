// schemas/graphql/inputs.ts is generated from the SDL; `npm run test:contract -- graphql-inputs -u` writes it anew.
import { codegen } from "@graphql-codegen/core";
import * as typescript from "@graphql-codegen/typescript";
import { Kind, parse } from "graphql";
import { expect, test } from "vitest";
import { typeDefs } from "../../services/api/graphql/sdl.ts";

const FILE = new URL("../../schemas/graphql/inputs.ts", import.meta.url).pathname;
const HEAD = "// Made of the SDL beside it by test/contract/graphql-inputs.test.ts.\n";

/** Objects are left out: resolvers answer with records that do not mirror the schema. */
const kinds: readonly string[] = [
  Kind.INPUT_OBJECT_TYPE_DEFINITION,
  Kind.ENUM_TYPE_DEFINITION,
  Kind.SCALAR_TYPE_DEFINITION,
  Kind.DIRECTIVE_DEFINITION,
];

const config = {
  enumsAsTypes: true,
  immutableTypes: true,
  strictScalars: true,
  inputMaybeValue: "T | null | undefined",
  // graphql-js fills in the defaults.
  avoidOptionals: { defaultValue: true },
  // The types of parsed values: a DateTimeOffset is a number of milliseconds since the epoch.
  scalars: { ID: "string", DateTimeOffset: "number", DateTimeDuration: "string", JSON: "unknown" },
};

test("the types of the inputs are those of the SDL", async () => {
  const definitions = parse(typeDefs).definitions.filter(({ kind }) => kinds.includes(kind));
  const types = await codegen({
    filename: FILE,
    schema: { kind: Kind.DOCUMENT, definitions },
    documents: [],
    config: {},
    plugins: [{ typescript: config }],
    pluginMap: { typescript },
  });

  await expect(`${HEAD}${types}`).toMatchFileSnapshot(FILE);
});
