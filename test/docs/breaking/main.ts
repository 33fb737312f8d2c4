// npm run check:breaking: the contracts of today against those of the last release (docs/api/released), or with
// `-- --against COMMIT` against those of a commit. Ends with 1 and a list when a client would break.
import { parseArgs } from "node:util";
import { messageOf } from "../../../schemas/errors.ts";
import { ROOT } from "../../structure/repository.ts";
import { contractsIn, contractsOfCommit, PUBLISHED, RELEASED } from "../contracts.ts";
import { compareContracts } from "./compare-contracts.ts";

const USAGE = "npm run check:breaking [-- --against COMMIT] [-- --repository FOLDER]";

try {
  const { values } = parseArgs({
    options: { against: { type: "string" }, repository: { type: "string", default: ROOT } },
  });
  const { against, repository } = values;
  const before =
    against === undefined ? contractsIn(`${repository}/${RELEASED}`) : contractsOfCommit(against, repository);
  const changes = compareContracts(before, contractsIn(`${repository}/${PUBLISHED}`));
  const breaks = changes.filter(({ isBreaking }) => isBreaking);
  const notes = changes.filter(({ isBreaking }) => !isBreaking);
  for (const { text } of notes) console.log(`note: ${text}`);
  for (const { text } of breaks) console.log(`breaks: ${text}`);
  console.log(`${breaks.length} breaking changes since ${against ?? "the last release"}, ${notes.length} to note`);
  process.exitCode = breaks.length === 0 ? 0 : 1;
} catch (error) {
  console.error(`${messageOf(error)}\n${USAGE}`);
  process.exitCode = 2;
}
