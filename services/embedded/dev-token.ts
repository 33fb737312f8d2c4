// The development token: made once per data directory, kept in a file that only its owner can read.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { runCommand } from "./commands.ts";
import { writeSecret } from "./data-dir.ts";
import type { Env } from "./services.ts";

const tokenSchema = z.object({ id: z.string().min(1), value: z.string().min(1) });

export type Token = z.output<typeof tokenSchema>;

/** The one in the file if the log still knows it, else a new one. */
export async function developmentToken(dataDir: string, env: Env): Promise<Token> {
  const file = join(dataDir, "dev-token.json");
  const kept = await readToken(file);
  if (kept !== undefined && isListed(kept.id, await runCommand("cli/tokens/main", env, ["list"]))) return kept;
  const args = ["create", "--name", "development", "--scopes", "read,write,admin", "--json"];
  const token = tokenSchema.parse(JSON.parse(await runCommand("cli/tokens/main", env, args)));
  await writeSecret(file, `${JSON.stringify(token)}\n`);
  return token;
}

async function readToken(file: string): Promise<Token | undefined> {
  try {
    return tokenSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}

const isListed = (id: string, list: string): boolean =>
  list.split("\n").some((line) => line.startsWith(id) && line.endsWith("valid"));
