// Keeps the compiled selections of subscriptions. Equal ones share one, whatever their filters; those that get few
// messages get none, and all together have a bound: a short text may select thousands of fields through its fragments.
import { createHash } from "node:crypto";
import { type DocumentNode, type GraphQLSchema, print } from "graphql";
import { LRUCache } from "lru-cache";
import type { ApiContext } from "./context.ts";
import { compileSelection, type PlainSelection } from "./plain-selection.ts";

/** @returns the data as JSON; undefined when graphql-js must execute the message. */
export type PlainMessages = (root: unknown, context: ApiContext) => string | undefined;

type Variables = Readonly<Record<string, unknown>>;

/** Fields of all compiled selections. */
const MOST_FIELDS = 20_000;
/** A selection is compiled with its eighth message, and with the eighth after others have pushed it out. */
const COMPILED_AT = 8;
/** A selection is left to graphql-js for good after so many messages in a row that had to ask a store, or failed. */
const MOST_MISSES = 3;

/** Selections of one schema. `variables` are coerced ones. */
export function createPlainSelections(schema: GraphQLSchema) {
  const kept = new LRUCache<string, Compiled>({ maxSize: MOST_FIELDS, sizeCalculation: ({ fields }) => fields });

  return (document: DocumentNode, variables: Variables): PlainMessages => {
    let key: string | undefined;
    let messages = 0;
    let misses = 0;

    function compiled(): Compiled | undefined {
      key ??= keyOf(document, variables);
      const known = kept.get(key);
      if (known !== undefined) return known;
      messages += 1;
      if (messages < COMPILED_AT) return undefined;
      messages = 0;
      const made = compile(schema, document, variables);
      kept.set(key, made);
      return made;
    }

    return (root, context) => {
      if (misses >= MOST_MISSES) return undefined;
      try {
        const data = compiled()?.write?.(root, context);
        misses = 0;
        return data;
      } catch {
        misses += 1;
        return undefined;
      }
    };
  };
}

/** Without `write` for a selection that graphql-js must execute. */
type Compiled = Pick<PlainSelection, "fields"> & Partial<PlainSelection>;

function compile(schema: GraphQLSchema, document: DocumentNode, variables: Variables): Compiled {
  try {
    const plain = compileSelection(schema, document, variables);
    return plain.fields > MOST_FIELDS / 8 ? { fields: 1 } : plain;
  } catch {
    return { fields: 1 };
  }
}

/** The same for selections that differ in their filters only: these are no part of the document any more. */
function keyOf(document: DocumentNode, variables: Variables): string {
  const used = document.definitions.flatMap((each) =>
    "variableDefinitions" in each ? (each.variableDefinitions ?? []) : [],
  );
  const values = used.map(({ variable: { name } }) => [name.value, variables[name.value]]);
  return createHash("sha256").update(JSON.stringify(values)).update(print(document)).digest("base64");
}
