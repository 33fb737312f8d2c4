// Errors as the log shows them. ioredis adds the refused command with its arguments to an error, and those of a
// handshake have the password.
import { stdSerializers } from "pino";

/** Members with commands, in errors of ioredis. */
const HIDDEN: ReadonlySet<string> = new Set(["command", "previousErrors"]);
/** A server that lacks a command repeats its arguments. */
const REPEATED_ARGUMENTS = /,? with args beginning with:.*/g;
const MAX_DEPTH = 6;

/** The serializer of `err`; message, stack, causes and all other members stay. */
export const serializeError = (error: unknown): unknown => withoutCommands(error, 0);

function withoutCommands(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.replace(REPEATED_ARGUMENTS, "");
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (depth === MAX_DEPTH) return undefined;
  const below = (each: unknown) => withoutCommands(each, depth + 1);
  if (Array.isArray(value)) return value.map(below);
  const shown = value instanceof Error ? stdSerializers.err(value) : value;
  const members = Object.entries(shown).filter(([name]) => !HIDDEN.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, below(member)]));
}
