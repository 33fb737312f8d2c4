// Tokens: an id that is no secret, and a value of 32 random bytes of which only the SHA-256 is stored. So many random
// bytes need no slow hash.
import { hash, timingSafeEqual } from "node:crypto";
import { AppError } from "../../schemas/errors.ts";
import type { Scope } from "../../schemas/events.ts";
import type { Catalog } from "./catalog.ts";
import type { Entities } from "./define-entity.ts";
import type { Token } from "./token.ts";

/** The caller, as its token identifies it. */
export interface Principal {
  readonly tokenId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

interface Credentials {
  readonly id: unknown;
  readonly value: unknown;
}

export interface Authenticate {
  (credentials: Credentials): Principal | AppError;
  /** @returns true when the caller's token is as it was when the caller was authenticated. Hashes nothing. */
  isCurrent(principal: Principal): boolean;
}

/** Names of HTTP headers, and of members of a WebSocket's connection_init payload. */
export const TOKEN_ID = "x-token-id";
export const TOKEN_VALUE = "x-token-value";

const everybody: Principal = { tokenId: "", name: "everybody", scopes: ["admin"] };

/** Without authentication every client may do everything. */
export const letEverybodyIn: Authenticate = Object.assign(() => everybody, { isCurrent: () => true });

/** The value is compared with this hash when the id is unknown, so that the time does not reveal which ids exist. */
const NO_HASH = Buffer.alloc(32);

/** Never throws. The error is UNAUTHENTICATED and does not say which part was wrong. */
export function createAuthenticate(catalog: Entities): Authenticate {
  const authenticate = ({ id, value }: Credentials): Principal | AppError => {
    if (typeof id !== "string" || typeof value !== "string") return refused("a token is needed");
    const token = catalog.get("token", id);
    const expected = token === undefined ? NO_HASH : hashOf(token);
    const isRight = expected.length === 32 && timingSafeEqual(hash("sha256", value, "buffer"), expected);
    if (token === undefined || !isRight || token.revokedAt !== null) return refused("the token is not valid");
    return principalOf(token);
  };
  const isCurrent = (principal: Principal): boolean => {
    const token = catalog.get("token", principal.tokenId);
    // A change of the token creates another object, which has a principal of its own.
    return token !== undefined && token.revokedAt === null && principals.get(token) === principal;
  };
  return Object.assign(authenticate, { isCurrent });
}

/** The stored form of a token's value. */
export const hashOfValue = (value: string): string => hash("sha256", value, "hex");

/** The scope admin implies every other scope. */
export const may = ({ scopes }: Pick<Principal, "scopes">, scope: Scope): boolean =>
  scopes.includes(scope) || scopes.includes("admin");

/**
 * Checks whether a token may continue an operation that it has begun. Tokens are never deleted, so an unknown token
 * either has not arrived in the catalog yet or does not exist.
 */
export function lapseOf(
  catalog: Pick<Catalog, "get" | "lastKnown">,
  tokenId: string,
  scopes: readonly Scope[],
): string | undefined {
  const token = catalog.get("token", tokenId);
  if (token === undefined) return catalog.lastKnown("token", tokenId) && "its token was deleted";
  if (token.revokedAt !== null) return "its token was revoked";
  const missing = scopes.find((scope) => !may(token, scope));
  return missing && `its token has lost the scope ${missing}`;
}

const refused = (message: string): AppError => new AppError("UNAUTHENTICATED", message);

const hashes = new WeakMap<Token, Buffer>();
const principals = new WeakMap<Token, Principal>();

function hashOf(token: Token): Buffer {
  let expected = hashes.get(token);
  if (expected === undefined) {
    expected = Buffer.from(token.valueSha256, "hex");
    hashes.set(token, expected);
  }
  return expected;
}

function principalOf(token: Token): Principal {
  let principal = principals.get(token);
  if (principal === undefined) {
    principal = { tokenId: token.id, name: token.name, scopes: token.scopes };
    principals.set(token, principal);
  }
  return principal;
}
