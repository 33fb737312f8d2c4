// The GraphQL schema definition: one file per area, in schemas/graphql.
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../../schemas/graphql/", import.meta.url);

export const typeDefs: string = readdirSync(folder)
  .filter((name) => name.endsWith(".graphql"))
  .sort()
  .map((name) => readFileSync(new URL(name, folder), "utf8"))
  .join("\n");
