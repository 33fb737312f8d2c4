// Compares the contracts of two versions of tracklog.
import { parse } from "yaml";
import type { Contracts } from "../contracts.ts";
import { asyncApiChanges } from "./asyncapi-changes.ts";
import type { Change } from "./finding.ts";
import { graphqlChanges } from "./graphql-changes.ts";
import { openApiChanges } from "./openapi-changes.ts";

export function compareContracts(before: Contracts, after: Contracts): readonly Change[] {
  const changes = {
    GraphQL: graphqlChanges(before.sdl, after.sdl),
    REST: openApiChanges(JSON.parse(before.openApi), JSON.parse(after.openApi)),
    log: asyncApiChanges(parse(before.asyncApi), parse(after.asyncApi)),
  };
  const all = Object.entries(changes).flatMap(([contract, found]) =>
    found.map(({ text, isBreaking }) => ({ text: `${contract}: ${text}`, isBreaking })),
  );
  // A component that several operations use has the same changes in each of them.
  return [...new Map(all.map((change) => [change.text, change])).values()];
}
