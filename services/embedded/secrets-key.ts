// The key that seals secrets (services/common/sealed.ts): created once per data directory, in a file that only its
// owner can read.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeSecret } from "./tools/data-dir.ts";

const KEY_BYTES = 32;

export async function secretsKey(dataDir: string): Promise<string> {
  const file = join(dataDir, "secrets-key");
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept !== undefined) return kept.trim();
  const key = randomBytes(KEY_BYTES).toString("base64");
  await writeSecret(file, `${key}\n`);
  return key;
}
