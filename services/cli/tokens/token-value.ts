import { randomBytes } from "node:crypto";
import { hashOfValue } from "../../../projections/catalog/tokens.ts";

const VALUE_BYTES = 32;

/** Returns a new value, in base64url, and its hash, which is the part that the log keeps. */
export function createTokenValue(): { readonly value: string; readonly valueSha256: string } {
  const value = randomBytes(VALUE_BYTES).toString("base64url");
  return { value, valueSha256: hashOfValue(value) };
}
