// A question as a command, for whoever goes on in a terminal. It takes the token from the environment, so that nobody
// pastes a secret into a shell's history.
import type { Operation } from "./question.ts";

export const curlOf = (origin: string, { document, variables }: Operation): string =>
  [
    `curl ${quoted(`${origin}/graphql`)} -H 'content-type: application/json'`,
    `  -H "x-token-id: $ID" -H "x-token-value: $VALUE"`,
    `  -d ${quoted(JSON.stringify({ query: document, variables }))}`,
  ].join(" \\\n");

/** The text is one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
