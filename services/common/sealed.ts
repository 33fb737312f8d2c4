// Short secrets at rest: AES-256-GCM with a key from the environment. A sealed text names its key, so the key can be
// replaced while old texts are still read.
import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { z } from "zod";

/**
 * Identifies the owner of a sealed text, e.g. an object. A text that is moved to another place cannot be opened there.
 */
export type SealContext = string;

export interface Sealer {
  seal(secret: string, place: SealContext): string;
  /** Throws SealError when the text was not sealed for this place, was changed, or its key is missing. */
  open(sealed: string, place: SealContext): string;
  /** @returns true when the newest key sealed the text. */
  isCurrent(sealed: string): boolean;
  /** @returns true when this process has the key that sealed the text. */
  knows(sealed: string): boolean;
}

/** The message never contains any part of the secret or of a key. */
export class SealError extends Error {
  override readonly name = "SealError";
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1";
const WANTED = `a key of ${KEY_BYTES} bytes in base64 or hex, as from: openssl rand -base64 ${KEY_BYTES}`;

const keyText = z.string().transform((text, context) => {
  const key = parseKey(text.trim());
  if (key !== undefined) return key;
  context.addIssue({ code: "custom", message: `wants ${WANTED}` });
  return z.NEVER;
});

export const secretsEnv = z.object({
  SECRETS_KEY: keyText.describe(WANTED).meta({
    about:
      "Seals the secrets of subscriptions in the log and in Redis. All services of an installation need the " +
      "same key; `npm start` makes one.",
  }),
  SECRETS_OLD_KEYS: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((each) => each.trim() !== ""))
    .pipe(z.array(keyText))
    .describe("keys such as SECRETS_KEY wants, separated by commas")
    .meta({ about: "Keys that SECRETS_KEY has replaced. They still open what they sealed." }),
});

export type SecretsConfig = z.output<typeof secretsEnv>;

export function createSealer({ SECRETS_KEY, SECRETS_OLD_KEYS }: SecretsConfig): Sealer {
  const currentId = keyIdOf(SECRETS_KEY);
  const keys = new Map([...SECRETS_OLD_KEYS, SECRETS_KEY].map((key) => [keyIdOf(key), key]));

  return {
    seal(secret, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", SECRETS_KEY, iv).setAAD(Buffer.from(`${VERSION} ${place}`));
      const sealed = Buffer.concat([iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${currentId}.${sealed.toString("base64url")}`;
    },

    open(text, place) {
      const [version, keyId = "", body = "", ...more] = text.split(".");
      const sealed = Buffer.from(body, "base64url");
      if (version !== VERSION || more.length > 0 || sealed.length < IV_BYTES + TAG_BYTES) {
        throw new SealError("not a sealed text");
      }
      const key = keys.get(keyId);
      if (key === undefined) throw new SealError(`sealed with the key ${keyId}, which is not among SECRETS_OLD_KEYS`);
      return decrypt(key, sealed, place);
    },

    isCurrent: (text) => text.startsWith(`${VERSION}.${currentId}.`),
    knows: (text) => keys.has(keyIdOfSealed(text)),
  };
}

/** Returns the id of the key that sealed the text. It reveals nothing about the key. */
export const keyIdOfSealed = (sealed: string): string => sealed.split(".")[1] ?? "";

function decrypt(key: Buffer, sealed: Buffer, place: SealContext): string {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(`${VERSION} ${place}`))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const secret = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([secret, decipher.final()]).toString("utf8");
  } catch {
    throw new SealError("changed, or sealed for another place");
  }
}

/** Returns an id that differs for each key, and reveals nothing about it. */
const keyIdOf = (key: Buffer): string =>
  hash("sha256", Buffer.concat([Buffer.from("key id "), key]), "hex").slice(0, 8);

const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

function parseKey(text: string): Buffer | undefined {
  if (HEX.test(text)) return Buffer.from(text, "hex");
  return BASE64.test(text) ? Buffer.from(text, "base64") : undefined;
}
