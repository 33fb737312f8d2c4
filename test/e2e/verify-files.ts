// npm run verify -- DIR: imports real tracker files into a separate system and compares the rows in ClickHouse, the
// messages of a subscriber and live states with brute force. The files are research data that may not be copied, so DIR is elsewhere.
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStores } from "../../services/embedded/stores.ts";
import { launchSystem } from "../support/launch-system.ts";
import { verifyLive } from "../support/verify-live.ts";
import { type Recorded, type Verdict, verifyRecording } from "../support/verify-recording.ts";

const FILES: readonly Recorded[] = [
  { name: "mot16-11-gt.txt", format: "mot", fps: 30 },
  { name: "mot16-11-tracker.txt", format: "mot", fps: 30 },
  { name: "sdd-gates-video5.txt", format: "sdd", fps: 30 },
];

const dir = process.argv[2];
const missing = dir === undefined ? FILES : await missingIn(dir);
if (dir === undefined || missing.length > 0) {
  tell(`usage: npm run verify -- DIR; DIR ${dir ?? ""} lacks ${missing.map(({ name }) => name).join(", ")}`);
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

interface VerdictWithStates extends Verdict {
  /** Of tracks and zones, compared at every hundredth detection. */
  readonly states: number;
}

const differing = (difference: string) => ({ states: 0, equal: "no" as const, difference });

async function verifyAll(from: string): Promise<VerdictWithStates[]> {
  const scratch = await mkdtemp(join(tmpdir(), "tracklog-verify-"));
  const stores = await startStores({ dataDir: join(scratch, "stores"), env: process.env, onProgress: tell });
  try {
    const verdicts: VerdictWithStates[] = [];
    for (const [index, recorded] of FILES.entries()) {
      tell(`playing ${recorded.name}`);
      const states = await verifyLive(stores.env, `states_${Date.now()}_${index}`, recorded, from).catch(String);
      tell(`importing ${recorded.name}`);
      const { system, stop } = await launchSystem(stores.env, `verify_${Date.now()}_${index}`);
      try {
        const verdict = await verifyRecording(system, recorded, { from, scratch });
        verdicts.push(typeof states === "number" ? { ...verdict, states } : { ...verdict, ...differing(states) });
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

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
