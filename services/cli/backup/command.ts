// The command lines of npm run backup and npm run restore.
import { parseArgs } from "node:util";
import { messageOf } from "../../../schemas/errors.ts";

const USAGE = "npm run backup -- --out FOLDER\nnpm run restore -- --from FOLDER";

export type BackupCommand =
  | { readonly name: "save"; readonly folder: string }
  | { readonly name: "restore"; readonly folder: string };

/** Throws with one sentence about the fault, and the usage. */
export function parseBackupCommand([name, ...args]: readonly string[]): BackupCommand {
  try {
    if (name === "save") return { name, folder: folderIn(args, "out") };
    if (name === "restore") return { name, folder: folderIn(args, "from") };
    throw new Error("Say save or restore");
  } catch (error) {
    // After its first sentence parseArgs gives advice about dashes.
    const [sentence] = messageOf(error).split(/\.(?:\s|$)|\n/);
    throw new Error(`${sentence}.\n${USAGE}`, { cause: error });
  }
}

function folderIn(args: readonly string[], option: "out" | "from"): string {
  const { values } = parseArgs({ args: [...args], options: { [option]: { type: "string" } } });
  const folder = values[option];
  if (typeof folder !== "string" || folder === "") throw new Error(`--${option} needs a folder`);
  return folder;
}
