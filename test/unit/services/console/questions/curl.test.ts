import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlOf } from "../../../../../services/console/questions/curl.ts";

test("a shell passes the question on as it is, quotes of names included", () => {
  const operation = { document: "query { a }", variables: { name: `the guard's "$HOME" \`door\`` } };

  const command = curlOf("http://127.0.0.1:4000", operation).replace(/^curl/, "printf '%s\\n'");
  const words = execFileSync("sh", ["-c", command], { encoding: "utf8", env: { ID: "id", VALUE: "secret" } }).split(
    "\n",
  );

  expect(words[0]).toBe("http://127.0.0.1:4000/graphql");
  expect(words).toContain("x-token-value: secret");
  expect(JSON.parse(words.at(-2) ?? "")).toEqual({ query: operation.document, variables: operation.variables });
});
