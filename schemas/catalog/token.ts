import { array, string, time, word } from "../avro.ts";
import { changedRecord } from "./changed.ts";

export type Scope = "read" | "write" | "admin";

export interface TokenFields {
  readonly name: string;
  /** Lower-case hex SHA-256 of the token value; the value itself is stored nowhere. */
  readonly valueSha256: string;
  readonly scopes: readonly Scope[];
  readonly revokedAt: number | null;
}

export const tokenChanged = changedRecord<TokenFields>("Token", {
  name: string,
  valueSha256: string,
  scopes: array(word<Scope>()),
  revokedAt: time,
});
