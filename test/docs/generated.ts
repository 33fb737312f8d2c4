// The files that `npm run docs` writes, made in memory.
import { parse, stringify } from "yaml";
import { serveUnstarted } from "../unit/services/state-api/unstarted.ts";
import { asyncApiDocument } from "./asyncapi.ts";
import { configurationManual } from "./configuration.ts";
import { type Contracts, contractFiles, PUBLISHED } from "./contracts.ts";
import { graphqlPage } from "./pages/graphql-page.ts";
import { logPage } from "./pages/log-page.ts";
import { restPage } from "./pages/rest-page.ts";
import { publishedSdl } from "./sdl.ts";

const HEAD = "Made from schemas/ by `npm run docs`.";

/** Paths relative to the repository, and contents. */
export async function generatedDocs(): Promise<ReadonlyMap<string, string>> {
  const contracts = await presentContracts();
  const { sdl, openApi, asyncApi } = contracts;
  return new Map([
    [`${PUBLISHED}/${contractFiles.sdl}`, sdl],
    [`${PUBLISHED}/${contractFiles.openApi}`, openApi],
    [`${PUBLISHED}/${contractFiles.asyncApi}`, asyncApi],
    [`${PUBLISHED}/graphql.html`, graphqlPage(sdl)],
    [`${PUBLISHED}/rest.html`, restPage(JSON.parse(openApi))],
    [`${PUBLISHED}/log.html`, logPage(parse(asyncApi))],
    ["docs/configuration.md", configurationManual()],
  ]);
}

/** The contracts as the code has them. */
async function presentContracts(): Promise<Contracts> {
  const app = serveUnstarted();
  const { body } = await app.inject({ method: "GET", url: "/openapi.json" });
  return {
    sdl: `# ${HEAD}\n\n${publishedSdl()}`,
    openApi: `${JSON.stringify(JSON.parse(body), undefined, 2)}\n`,
    asyncApi: `# ${HEAD}\n${stringify(asyncApiDocument(), { aliasDuplicateObjects: false, lineWidth: 120 })}`,
  };
}
