// npm run verify -- DIR: imports real tracker files into a separate system. Compares the rows in ClickHouse, the
// messages of a subscriber and live states with brute force, trials of all zones with the intersections of then, and
// replays with the signals of then. With --import-only, it leaves out live states and replay sessions. The files are
// research data that may not be copied, so DIR is elsewhere.
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../schemas/errors.ts";
import { startStores } from "../../services/embedded/stores.ts";
import { verifyLive } from "../support/oracles/verify-live.ts";
import { type Verdict, verifyRecording } from "../support/oracles/verify-recording.ts";
import { type VerifiedSessions, verifySessions } from "../support/oracles/verify-sessions.ts";
import { launchSystem } from "../support/running/launch-system.ts";
import type { Recorded } from "../support/scenes/recorded-camera.ts";

const FILES: readonly Recorded[] = [
  { name: "mot16-11-gt.txt", format: "mot", fps: 30 },
  { name: "mot16-11-tracker.txt", format: "mot", fps: 30 },
  { name: "sdd-gates-video5.txt", format: "sdd", fps: 30 },
];

const dir = process.argv[2];
const isImportOnly = process.argv.includes("--import-only");
const missing = dir === undefined ? FILES : await missingIn(dir);
if (dir === undefined || missing.length > 0) {
  print(
    `usage: npm run verify -- DIR [--import-only]; DIR ${dir ?? ""} lacks ${missing.map(({ name }) => name).join(", ")}`,
  );
  process.exitCode = 2;
} else {
  const verdicts = await verifyAll(dir);
  console.table(verdicts.map(({ difference: _, ...row }) => row));
  for (const { file, difference } of verdicts) if (difference !== undefined) console.log(`${file}: ${difference}`);
  if (verdicts.some(({ equal }) => equal === "no")) process.exitCode = 1;
}

async function missingIn(from: string): Promise<Recorded[]> {
  const found = await Promise.allSettled(FILES.map(({ name }) => access(join(from, name))));
  return FILES.filter((_, i) => found[i]?.status === "rejected");
}

interface WholeVerdict extends Verdict {
  /** The number of compared live states: those of tracks and zones, at every hundredth detection. */
  readonly states: number;
  /** The number of replay sessions through the REST interface. */
  readonly sessions: number;
  /** The number of signals that they delivered. */
  readonly replayed: number;
}

async function verifyAll(from: string): Promise<WholeVerdict[]> {
  const scratch = await mkdtemp(join(tmpdir(), "tracklog-verify-"));
  const stores = await startStores({ dataDir: join(scratch, "stores"), env: process.env, onProgress: print });
  try {
    const verdicts: WholeVerdict[] = [];
    for (const [index, recorded] of FILES.entries()) {
      const name = (what: string) => `${what}_${Date.now()}_${index}`;
      const states = await printed(`${recorded.name}: live states`, () =>
        verifyLive(stores.env, name("states"), recorded, from),
      );
      const replays = await printed(`${recorded.name}: replay sessions`, () =>
        verifySessions(stores.env, name("replays"), { recorded, from, print }),
      );
      print(`${recorded.name}: import`);
      const { system, stop } = await launchSystem(stores.env, name("verify"));
      try {
        const verdict = await verifyRecording(system, recorded, { from, scratch });
        verdicts.push(wholeVerdict(verdict, states, replays));
      } finally {
        await stop();
      }
    }
    return verdicts;
  } finally {
    await stores.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Resolves with the difference, if there is one, and with undefined when the work is left out. */
async function printed<T>(what: string, work: () => Promise<T>): Promise<T | string | undefined> {
  if (isImportOnly) return undefined;
  print(what);
  const outcome = await work().catch(messageOf);
  print(`${what}: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** A text is a difference. */
function wholeVerdict(
  verdict: Verdict,
  states: number | string | undefined,
  replays: VerifiedSessions | string | undefined,
): WholeVerdict {
  const difference = [states, replays, verdict.difference].find((each) => typeof each === "string");
  return {
    ...verdict,
    states: typeof states === "number" ? states : 0,
    ...(typeof replays === "object" ? replays : { sessions: 0, replayed: 0 }),
    ...(difference === undefined ? {} : { equal: "no", difference: String(difference) }),
  };
}

function print(text: string): void {
  process.stderr.write(`${text}\n`);
}
