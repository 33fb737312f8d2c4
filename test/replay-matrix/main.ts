// npm run test:replay-matrix -- --data DIR: plays real tracker files into a separate system with live subscriptions.
// Replay sessions of a stretch (tracks, a range, offsets) must give the same signals, of each type and in each mode.
// The files are research data that may not be copied, so DIR is elsewhere.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../../schemas/errors.ts";
import { startStores } from "../../services/embedded/stores.ts";
import { verifyMatrix } from "../support/oracles/verify-matrix.ts";
import type { Recorded } from "../support/scenes/recorded-camera.ts";

const FILES: readonly Recorded[] = [
  { name: "mot16-11-gt.txt", format: "mot", fps: 30 },
  { name: "mot16-11-tracker.txt", format: "mot", fps: 30 },
  { name: "sdd-gates-video5.txt", format: "sdd", fps: 30 },
];

const { values } = parseArgs({ options: { data: { type: "string" }, file: { type: "string" } } });
const files = FILES.filter(({ name }) => values.file === undefined || name === values.file);
const isThere = await Promise.all(files.map(({ name }) => exists(join(values.data ?? "", name))));
if (values.data === undefined || files.length === 0 || isThere.includes(false)) {
  const names = FILES.map(({ name }) => name).join(", ");
  print(`usage: npm run test:replay-matrix -- --data DIR [--file NAME]; DIR has ${names}`);
  process.exit(2);
}

const scratch = await mkdtemp(join(tmpdir(), "tracklog-matrix-"));
const stores = await startStores({ dataDir: join(scratch, "stores"), env: process.env, onProgress: print });
try {
  for (const [index, recorded] of files.entries()) {
    print(recorded.name);
    try {
      const namespace = `matrix_${Date.now()}_${index}`;
      const cells = await verifyMatrix(stores.env, namespace, { recorded, from: values.data, print });
      console.table(cells.map((cell) => ({ file: recorded.name, ...cell })));
    } catch (error) {
      print(`${recorded.name}: ${messageOf(error)}`);
      process.exitCode = 1;
    }
  }
} finally {
  await stores.stop();
  await rm(scratch, { recursive: true, force: true });
}
process.exit();

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

function print(text: string): void {
  process.stderr.write(`${text}\n`);
}
