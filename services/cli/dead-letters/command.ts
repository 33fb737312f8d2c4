// The command line of the dead-letters tool.
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { z } from "zod";
import { messageOf, unreachable } from "../../../schemas/errors.ts";
import { type ListOptions, listLetters } from "./list.ts";
import { type RedriveDeps, type RedriveOptions, redriveLetters } from "./redrive.ts";
import { type ShowOptions, showLetter } from "./show.ts";

const USAGE = `npm run dead-letters -- list [--reason TEXT] [--since TIME] [--limit N] [--all] [--json]
npm run dead-letters -- show ID [--json]
npm run dead-letters -- redrive ID... [--again]
npm run dead-letters -- redrive --all [--reason TEXT]`;

const DEFAULT_LIMIT = 100;

export type DeadLettersCommand =
  | ({ readonly name: "list" } & ListOptions)
  | ({ readonly name: "show" } & ShowOptions)
  | ({ readonly name: "redrive" } & RedriveOptions);

/** Throws with one sentence about the fault, and the usage. */
export function parseDeadLettersCommand([name, ...args]: readonly string[]): DeadLettersCommand {
  try {
    if (name === "list") return { name, ...parseList(args) };
    if (name === "show") return { name, ...parseShow(args) };
    if (name === "redrive") return { name, ...parseRedrive(args) };
    throw new Error(name === undefined ? "Say what to do" : `There is no command ${name}`);
  } catch (error) {
    // After its first sentence parseArgs gives advice about dashes.
    const [sentence] = messageOf(error).split(/\.(?:\s|$)|\n/);
    throw new Error(`${sentence}.\n${USAGE}`, { cause: error });
  }
}

/** @returns true when everything that was requested is done. */
export async function runDeadLettersCommand(command: DeadLettersCommand, deps: RedriveDeps): Promise<boolean> {
  switch (command.name) {
    case "list":
      await listLetters(command, deps);
      return true;
    case "show":
      await showLetter(command, deps);
      return true;
    case "redrive":
      return redriveLetters(command, deps);
    default:
      return unreachable(command);
  }
}

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;

function parseList(args: readonly string[]): ListOptions {
  const options = { reason: text, since: text, limit: text, all: flag, json: flag };
  const { values, positionals } = parse(args, options);
  if (positionals.length > 0) throw new Error(`list takes no ${positionals.join(" ")}`);
  const { reason, since, limit, all, json } = values;
  return { reason: parseReason(reason), since: parseSince(since), limit: parseLimit(limit), all, json };
}

function parseShow(args: readonly string[]): ShowOptions {
  const { values, positionals } = parse(args, { json: flag });
  const [id] = positionals;
  if (id === undefined || positionals.length > 1) throw new Error("show takes one ID");
  return { id, json: values.json };
}

function parseRedrive(args: readonly string[]): RedriveOptions {
  const { values, positionals: ids } = parse(args, { reason: text, all: flag, again: flag });
  if (values.all === ids.length > 0) throw new Error("redrive takes either IDs or --all");
  if (values.all && values.again) throw new Error("--again goes with IDs: --all is all open ones");
  if (!values.all && values.reason !== undefined) throw new Error("--reason goes with --all");
  return values.all ? { ids: "all", reason: parseReason(values.reason) } : { ids, again: values.again };
}

const parse = <T extends ParseArgsOptionsConfig>(args: readonly string[], options: T) =>
  parseArgs({ args: [...args], options, allowPositionals: true, strict: true });

/** Every reason contains the empty text, so an operator who gives it meant something else. */
function parseReason(value: string | undefined): string | undefined {
  if (value === "") throw new Error("--reason needs a text");
  return value;
}

const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

function parseSince(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!time.safeParse(value).success) {
    throw new Error("--since needs a date or an ISO 8601 time with offset, such as 2026-01-01T00:00:00Z");
  }
  return Date.parse(value);
}

function parseLimit(value: string | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT;
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error("--limit needs a whole number above 0");
  return Number(value);
}
