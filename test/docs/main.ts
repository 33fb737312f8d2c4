// npm run docs: writes docs/api and docs/configuration.md anew. `-- --release` also keeps the contracts as those of a
// release, with which npm run check:breaking compares later ones.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../structure/repository.ts";
import { contractFiles, PUBLISHED, RELEASED } from "./contracts.ts";
import { generatedDocs } from "./generated.ts";

const { values } = parseArgs({ options: { release: { type: "boolean", default: false } } });

for (const [path, content] of await generatedDocs()) {
  mkdirSync(dirname(`${ROOT}${path}`), { recursive: true });
  writeFileSync(`${ROOT}${path}`, content);
  console.log(path);
}
if (values.release) {
  mkdirSync(`${ROOT}${RELEASED}`, { recursive: true });
  for (const file of Object.values(contractFiles)) {
    copyFileSync(`${ROOT}${PUBLISHED}/${file}`, `${ROOT}${RELEASED}/${file}`);
  }
  console.log(`${RELEASED}: the contracts of today`);
}
