// npm run replay -- ...
import { constants, setPriority } from "node:os";
import { runReplay } from "./run-replay.ts";

// The reader of our output may close it early: the run continues.
process.stdout.on("error", () => undefined);
// Live processing has priority over replays.
setPriority(constants.priority.PRIORITY_LOW);
const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => stopping.abort(new Error(`Stopped by ${name}.`)));
}

process.exitCode = await runReplay(process.argv.slice(2), process.env, {
  signal: stopping.signal,
  progressStream: process.stderr,
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
});
// Clients of lost stores may still hold timers.
setTimeout(() => process.exit(), 500).unref();
