// The registry has no passwords of its own, only tokens of an identity provider; but it can verify these by a public
// key alone. So we sign one token for ourselves and throw the private key away.
import { generateKeyPairSync, sign } from "node:crypto";

interface RegistryAccess {
  readonly token: string;
  /** Key with which the registry verifies the token: base64 of its DER form. */
  readonly publicKey: string;
}

/** The registry refuses tokens that never expire. This is longer than any process runs. */
const VALID_S = 100 * 365 * 86_400;

export function createRegistryAccess(nowMs: number): RegistryAccess {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const issued = Math.floor(nowMs / 1_000);
  const claims = { sub: "tracklog", iat: issued, exp: issued + VALID_S };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return {
    token: `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`,
    publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  };
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
