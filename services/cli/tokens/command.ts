// The command line of the tokens tool.

import { parseArgs } from "node:util";
import type { Token } from "../../../projections/catalog/token.ts";
import { unreachable } from "../../../schemas/errors.ts";
import type { Scope } from "../../../schemas/events.ts";
import type { TokenStore } from "./store.ts";

const USAGE = `npm run tokens -- create --name NAME --scopes read,write,admin [--json]
npm run tokens -- list
npm run tokens -- revoke ID`;

export type TokensCommand =
  | { readonly name: "create"; readonly token: string; readonly scopes: readonly Scope[]; readonly json: boolean }
  | { readonly name: "list" }
  | { readonly name: "revoke"; readonly id: string };

/** Throws with one sentence about the fault. */
export function parseTokensCommand(args: readonly string[]): TokensCommand {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { name: { type: "string" }, scopes: { type: "string" }, json: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [name, id] = positionals;
  if (name === "create" && positionals.length === 1) {
    if (!values.name) throw new Error("create needs --name, by which you will recognize the token");
    return { name, token: values.name, scopes: parseScopes(values.scopes), json: values.json };
  }
  if (name === "list" && positionals.length === 1) return { name };
  if (name === "revoke" && id !== undefined && positionals.length === 2) return { name, id };
  throw new Error(`usage:\n${USAGE}`);
}

/** Resolves with the text to print. */
export async function runTokensCommand(command: TokensCommand, store: TokenStore): Promise<string> {
  switch (command.name) {
    case "create": {
      const token = await store.create(command.token, command.scopes);
      if (command.json) return JSON.stringify(token);
      return `x-token-id: ${token.id}\nx-token-value: ${token.value}\nThe value is stored nowhere and not shown again.`;
    }
    case "list":
      return (await store.list()).map(describe).join("\n");
    case "revoke":
      await store.revoke(command.id);
      return `${command.id} is revoked.`;
    default:
      return unreachable(command);
  }
}

function parseScopes(text: string | undefined): readonly Scope[] {
  const names = (text ?? "").split(",").map((name) => name.trim());
  if (!names.every(isScope)) throw new Error("create needs --scopes, a list of read, write and admin");
  return [...new Set(names)];
}

const isScope = (name: string): name is Scope => name === "read" || name === "write" || name === "admin";

function describe({ id, name, scopes, createdAt, revokedAt }: Token): string {
  const state = revokedAt === null ? "valid" : `revoked ${new Date(revokedAt).toISOString()}`;
  return [id, name, scopes.join(","), new Date(createdAt).toISOString(), state].join("\t");
}
