// npm run test:upgrade -- [--from COMMIT] [--seconds N] [--lag N] [--only NAMES]: replaces each of two processes of
// each role under load, one by one. With --from all processes have that commit at first, then one by one the present
// one, and then go back. Prints a table, and ends with code 1 if anything was lost, doubled or refused for good, or if
// a reader lags behind for long.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startBenchStack } from "../bench/stack.ts";
import { nameOf, type Place, places } from "./fleet.ts";
import { type RunResult, runUpgrade } from "./run.ts";
import { tableOfReplaced } from "./table.ts";
import { presentVersion, versionOf } from "./versions.ts";

const USAGE = `usage: npm run test:upgrade -- [--from COMMIT] [--seconds N] [--lag N] [--only NAMES]
  --from COMMIT  the version to come from, and to go back to; without it the processes are restarted
  --seconds N    how long each process works before the next one is replaced (5)
  --lag N        seconds after which no reader may lag behind a replacement (10); a busy machine needs more
  --only NAMES   the processes to replace, such as "state-machine 1,api 2"; without it all of them
`;

const { from, seconds, lag, only } = parseCommand();
const scratch = await mkdtemp(join(tmpdir(), "tracklog-upgrade-"));
const stack = await startBenchStack();
try {
  const present = await presentVersion();
  const before = from === undefined ? undefined : await versionOf(from, scratch);
  const result = await runUpgrade({
    stores: stack.env,
    namespace: `upgrade_${Date.now()}`,
    present,
    from: before,
    places: only,
    pauseMs: seconds * 1_000,
    goalMs: lag * 1_000,
    print: (text) => process.stderr.write(`${new Date().toISOString()} ${text}\n`),
  });
  await report(result);
} finally {
  await stack.stop();
  // The logs of a run that failed are kept.
  if (process.exitCode !== 1) await rm(scratch, { recursive: true, force: true });
}
process.exit();

async function report({ replaced, complaints, counts, state, outputs }: RunResult): Promise<void> {
  process.stdout.write(`${tableOfReplaced(replaced)}\n`);
  process.stdout.write(`${JSON.stringify({ from: from ?? null, seconds, ...state, ...counts })}\n`);
  if (complaints.length === 0) return;
  process.exitCode = 1;
  process.stdout.write(`${complaints.length} differences:\n${complaints.join("\n")}\n`);
  const dir = join(scratch, "logs");
  await mkdir(dir);
  await Promise.all(outputs.map(({ name, output }) => writeFile(join(dir, `${name}.log`), output)));
  process.stdout.write(`logs: ${dir}\n`);
}

interface Command {
  readonly from: string | undefined;
  readonly seconds: number;
  readonly lag: number;
  readonly only: readonly Place[];
}

function parseCommand(): Command {
  try {
    const { values } = parseArgs({
      options: {
        from: { type: "string" },
        seconds: { type: "string", default: "5" },
        lag: { type: "string", default: "10" },
        only: { type: "string" },
      },
    });
    const names = values.only?.split(",");
    const only = places().filter((place) => names?.includes(nameOf(place)) ?? true);
    const command = { from: values.from, seconds: Number(values.seconds), lag: Number(values.lag), only };
    if (command.seconds >= 0 && command.lag > 0 && only.length === (names?.length ?? only.length)) return command;
  } catch {
    // An option that does not exist.
  }
  process.stderr.write(USAGE);
  process.exit(2);
}
