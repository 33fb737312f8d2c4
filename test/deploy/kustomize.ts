// Builds overlays with whichever kustomize the machine has.
import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The newest version that Go 1.26 compiles. */
const MODULE = "sigs.k8s.io/kustomize/kustomize/v5@v5.8.2";
const MAX_BYTES = 16 * 1024 * 1024;

type Command = readonly [string, ...string[]];

const candidates = (own: string | undefined): readonly { command: Command; check: Command }[] => [
  ...(own ? [{ command: [own, "build"] as const, check: [own, "version"] as const }] : []),
  { command: ["kustomize", "build"], check: ["kustomize", "version"] },
  { command: ["kubectl", "kustomize"], check: ["kubectl", "version", "--client"] },
  { command: ["go", "run", MODULE, "build"], check: ["go", "version"] },
];

/** Returns the command that builds a folder. Throws when the machine has none. */
export function findKustomize(own: string | undefined): Command {
  const found = candidates(own).find(({ check: [file, ...args] }) => {
    try {
      execFileSync(file, args, { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
  if (found !== undefined) return found.command;
  throw new Error(
    "There is no kustomize: install kustomize, kubectl or Go, or set KUSTOMIZE to a program of version 5.",
  );
}

/** Resolves with the YAML of a folder below k8s; rejects with what kustomize prints. */
export async function buildFolder([file, ...args]: Command, folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(file, [...args, folder], { cwd: ROOT, maxBuffer: MAX_BYTES });
  return stdout;
}
