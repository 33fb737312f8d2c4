import { expect, test } from "vitest";
import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import { createAuthenticate, may } from "../../../../projections/catalog/tokens.ts";
import { parseTokensCommand } from "../../../../services/cli/tokens/command.ts";
import { createTokenValue } from "../../../../services/cli/tokens/token-value.ts";
import { tokenCreated } from "../../../support/scenes/catalog.ts";

test("a token's value is 32 random bytes of which only the hash is kept", () => {
  const { value, valueSha256 } = createTokenValue();

  expect(Buffer.from(value, "base64url")).toHaveLength(32);
  expect(valueSha256).toMatch(/^[0-9a-f]{64}$/);
  expect(createTokenValue().value).not.toBe(value);
});

test("a right value gives the principal, for HTTP headers and connection_init payloads alike", () => {
  const catalog = createCatalog();
  const { value, valueSha256 } = createTokenValue();
  catalog.applyOwn(tokenCreated("t", { name: "camera", valueSha256 }), 0);
  const authenticate = createAuthenticate(catalog);

  expect(authenticate({ id: "t", value })).toEqual({ tokenId: "t", name: "camera", scopes: ["read"] });
  expect(authenticate({ id: "t", value: `${value}x` })).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(authenticate({ id: "u", value })).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(authenticate({ id: ["t"], value: null })).toMatchObject({ code: "UNAUTHENTICATED" });
});

test("admin implies every scope, the others only themselves", () => {
  const principal = (...scopes: ("read" | "write" | "admin")[]) => ({ tokenId: "", name: "", scopes });

  expect(may(principal("admin"), "write")).toBe(true);
  expect(may(principal("write"), "read")).toBe(false);
  expect(may(principal("read", "write"), "admin")).toBe(false);
});

test.each([
  [
    ["create", "--name", "ingest", "--scopes", "read, write"],
    { name: "create", token: "ingest", scopes: ["read", "write"], json: false },
  ],
  [
    ["create", "--name", "x", "--scopes", "admin", "--json"],
    { name: "create", token: "x", scopes: ["admin"], json: true },
  ],
  [["list"], { name: "list" }],
  [["revoke", "t1"], { name: "revoke", id: "t1" }],
])("tokens %j is understood", (args, expected) => {
  expect(parseTokensCommand(args)).toEqual(expected);
});

test.each([
  [[], "usage"],
  [["create", "--scopes", "read"], "--name"],
  [["create", "--name", "x"], "--scopes"],
  [["create", "--name", "x", "--scopes", "root"], "--scopes"],
  [["revoke"], "usage"],
  [["list", "all"], "usage"],
  [["create", "--nam", "x"], "--nam"],
])("tokens %j is refused", (args, reason) => {
  expect(() => parseTokensCommand(args)).toThrow(reason);
});
