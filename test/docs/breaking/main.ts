// npm run check:breaking: the contracts of today against those of the last release (docs/api/released), or with
// `-- --against COMMIT` against those of a commit. Ends with 1 and a list when a client would break.
import { parseArgs } from "node:util";
import { messageOf } from "../../../schemas/errors.ts";
import { ROOT } from "../../structure/repository.ts";
import { checkContracts } from "./check-contracts.ts";

const USAGE = "npm run check:breaking [-- --against COMMIT] [-- --repository FOLDER]";

try {
  const { values } = parseArgs({
    options: { against: { type: "string" }, repository: { type: "string", default: ROOT } },
  });
  const { lines, isBroken } = checkContracts({ repository: values.repository, against: values.against });
  for (const line of lines) console.log(line);
  process.exitCode = isBroken ? 1 : 0;
} catch (error) {
  console.error(`${messageOf(error)}\n${USAGE}`);
  process.exitCode = 2;
}
