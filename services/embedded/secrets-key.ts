// The key that seals secrets (services/common/sealed.ts): created once per data directory, in a file that only its
// owner can read.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeSecret } from "./tools/data-dir.ts";

const KEY_BYTES = 32;

export const secretsKeyFile = (dataDir: string): string => join(dataDir, "secrets-key");

/** Makes the key unless the data directory has one. */
export async function ensureSecretsKey(dataDir: string): Promise<void> {
  const file = secretsKeyFile(dataDir);
  if (!existsSync(file)) await writeSecret(file, `${randomBytes(KEY_BYTES).toString("base64")}\n`);
}
