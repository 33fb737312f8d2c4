import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Ends with a slash. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** `path` is relative to the repository. */
export const readText = (path: string): string => readFileSync(`${ROOT}${path}`, "utf8");
