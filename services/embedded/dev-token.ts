// The development token: created once per data directory, kept in a file that only its owner can read.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { runCommand } from "./commands.ts";
import type { Env } from "./services.ts";
import { writeSecret } from "./tools/data-dir.ts";

const tokenSchema = z.object({ id: z.string().min(1), value: z.string().min(1) });

export type DevToken = z.output<typeof tokenSchema>;

/** Returns the token in the file if the log still has it, otherwise a new one. */
export async function developmentToken(dataDir: string, env: Env): Promise<DevToken> {
  const kept = await keptToken(dataDir);
  if (kept !== undefined && isListed(kept.id, await runCommand("cli/tokens/main", env, ["list"]))) return kept;
  const args = ["create", "--name", "development", "--scopes", "read,write,admin", "--json"];
  const token = tokenSchema.parse(JSON.parse(await runCommand("cli/tokens/main", env, args)));
  await writeSecret(fileIn(dataDir), `${JSON.stringify(token)}\n`);
  return token;
}

const fileIn = (dataDir: string): string => join(dataDir, "dev-token.json");

/** Returns the token in the file, which may have been revoked meanwhile. */
export async function keptToken(dataDir: string): Promise<DevToken | undefined> {
  try {
    return tokenSchema.parse(JSON.parse(await readFile(fileIn(dataDir), "utf8")));
  } catch {
    return undefined;
  }
}

const isListed = (id: string, list: string): boolean =>
  list.split("\n").some((line) => line.startsWith(id) && line.endsWith("valid"));
