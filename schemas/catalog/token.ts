import { array, optional, record, string, time, word } from "../avro.ts";

export type Scope = "read" | "write" | "admin";

export interface TokenEntry {
  readonly tokenId: string;
  readonly name: string;
  /** Lower-case hex SHA-256 of the token value; the value itself is stored nowhere. */
  readonly valueSha256: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

export const tokenEntry = record<TokenEntry>("TokenEntry", {
  tokenId: string,
  name: string,
  valueSha256: string,
  scopes: array(word<Scope>()),
  createdAt: time,
  revokedAt: optional(time),
});
