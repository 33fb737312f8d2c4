// The published contracts: their files, and where older ones are.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the contracts, and that of the contracts of the last release. */
export const PUBLISHED = "docs/api";
export const RELEASED = "docs/api/released";

/** Files of the contracts within either folder. */
export const contractFiles = { sdl: "schema.graphql", openApi: "openapi.json", asyncApi: "asyncapi.yaml" } as const;

/** The texts of the files. */
export type Contracts = Readonly<Record<keyof typeof contractFiles, string>>;

export const contractsIn = (folder: string): Contracts =>
  contractsFrom((file) => readFileSync(join(folder, file), "utf8"));

/** Throws when `repository` does not have the commit, or the commit has no contracts. */
export const contractsOfCommit = (commit: string, repository: string): Contracts =>
  contractsFrom((file) =>
    execFileSync("git", ["show", `${commit}:${PUBLISHED}/${file}`], {
      cwd: repository,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );

function contractsFrom(read: (file: string) => string): Contracts {
  const { sdl, openApi, asyncApi } = contractFiles;
  return { sdl: read(sdl), openApi: read(openApi), asyncApi: read(asyncApi) };
}
