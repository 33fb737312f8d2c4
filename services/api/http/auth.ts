// Tokens: an id that is no secret, and a value of 32 random bytes of which only the SHA-256 is stored. A value with that
// much chance in it needs no slow hash.
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { CatalogView } from "../../../projections/catalog/catalog-view.ts";
import { AppError } from "../../../schemas/errors.ts";
import type { Scope, TokenEntry } from "../../../schemas/events.ts";
import type { Principal } from "../graphql/context.ts";

/** HTTP headers, and members of the connection_init payload of a WebSocket. */
export const TOKEN_ID = "x-token-id";
export const TOKEN_VALUE = "x-token-value";

interface Credentials {
  readonly id: unknown;
  readonly value: unknown;
}

export type Authenticate = (credentials: Credentials) => Principal | AppError;

const VALUE_BYTES = 32;
/** Compared when the id is unknown, so that the time taken does not tell which ids exist. */
const NO_HASH = Buffer.alloc(32);

/** Never throws; the error is UNAUTHENTICATED and says nothing about what was wrong. */
export function createAuthenticate(catalog: CatalogView): Authenticate {
  return ({ id, value }) => {
    if (typeof id !== "string" || typeof value !== "string") return refused("a token is needed");
    const token = catalog.token(id);
    const expected = token === undefined ? NO_HASH : Buffer.from(token.valueSha256, "hex");
    const isRight = expected.length === 32 && timingSafeEqual(sha256(value), expected);
    if (token === undefined || !isRight || token.revokedAt !== null) return refused("the token is not valid");
    return principalOf(token);
  };
}

/** With API_AUTH=false whoever comes may do everything. */
export const everybody: Principal = { tokenId: "", name: "everybody", scopes: ["admin"] };

/** admin implies every other scope. */
export const may = ({ scopes }: Principal, scope: Scope): boolean => scopes.includes(scope) || scopes.includes("admin");

/** A new value, in base64url, and what of it is stored. */
export function createTokenValue(): { readonly value: string; readonly valueSha256: string } {
  const value = randomBytes(VALUE_BYTES).toString("base64url");
  return { value, valueSha256: sha256(value).toString("hex") };
}

const sha256 = (value: string): Buffer => hash("sha256", value, "buffer");

const refused = (message: string): AppError => new AppError("UNAUTHENTICATED", message);

const principals = new WeakMap<TokenEntry, Principal>();

function principalOf(token: TokenEntry): Principal {
  let principal = principals.get(token);
  if (principal === undefined) {
    principal = { tokenId: token.tokenId, name: token.name, scopes: token.scopes };
    principals.set(token, principal);
  }
  return principal;
}
