import { expect, test } from "vitest";
import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import { lapseOf } from "../../../../projections/catalog/tokens.ts";
import type { CatalogEvent } from "../../../../schemas/events.ts";
import { tokenCreated, tokenRevoked } from "../../../support/scenes/catalog.ts";

const scopes = { read: ["read"], write: ["write"], admin: ["admin"] } as const;
const unchanged = { name: null, valueSha256: null, scopes: null, revokedAt: null };
const changed = (change: "updated" | "deleted", set: object): CatalogEvent => ({
  type: "TokenChanged",
  event: { id: "t", change, at: 2_000, set: { ...unchanged, ...set }, cleared: [] },
});

test.each<[string, readonly CatalogEvent[], string | undefined]>([
  ["an unknown token", [], undefined],
  ["a token with the scopes", [tokenCreated("t", { scopes: ["read", "write"] })], undefined],
  ["an admin's token", [tokenCreated("t", { scopes: scopes.admin })], undefined],
  ["a revoked token", [tokenCreated("t", { scopes: scopes.admin }), tokenRevoked("t", 2_000)], "its token was revoked"],
  [
    "a token that may only read by now",
    [tokenCreated("t", { scopes: ["read", "write"] }), changed("updated", { scopes: scopes.read })],
    "its token has lost the scope write",
  ],
  [
    "a token that may only write by now",
    [tokenCreated("t", { scopes: ["read", "write"] }), changed("updated", { scopes: scopes.write })],
    "its token has lost the scope read",
  ],
  ["a deleted token", [tokenCreated("t"), changed("deleted", {})], "its token was deleted"],
])("what %s began: %#", (_, events, reason) => {
  const catalog = createCatalog();
  for (const [offset, event] of events.entries()) catalog.apply(event, offset);

  expect(lapseOf(catalog, "t", ["read", "write"])).toBe(reason);
});
