// npm run capacity -- --cameras N [--boxes N] [--fps N] [...]: prints what an installation needs.
// npm run capacity -- --page: writes the tables of docs/capacity.md anew.
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { messageOf } from "../../../schemas/errors.ts";
import { DEFAULTS, type Installation, type MeasuredCosts } from "./plan.ts";
import { pageWith, planTable } from "./tables.ts";

const OPTIONS = {
  cameras: "cameras",
  boxes: "boxes",
  fps: "fps",
  "track-seconds": "trackSeconds",
  "zones-per-camera": "zonesPerCamera",
  replication: "replication",
  "log-days": "logDays",
  cores: "coresOfMachine",
  "memory-gib": "memoryOfMachineGib",
} as const;

const PAGE = new URL("../../../docs/capacity.md", import.meta.url);

try {
  const measured: MeasuredCosts = JSON.parse(await readFile(new URL("measured.json", import.meta.url), "utf8"));
  if (process.argv.includes("--page")) await writeFile(PAGE, pageWith(await readFile(PAGE, "utf8"), measured));
  else process.stdout.write(`${planTable([requested()], measured)}\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

function requested(): Installation {
  const { values } = parseArgs({
    options: Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, { type: "string" as const }])),
  });
  const given = Object.entries(OPTIONS).flatMap(([name, member]) => {
    const value = values[name];
    if (value === undefined) return [];
    if (!(Number(value) > 0)) throw new Error(`--${name} wants a number above 0`);
    return [[member, Number(value)]];
  });
  if (values["cameras"] === undefined) {
    const usage = Object.keys(OPTIONS).map((name) => `[--${name} N]`);
    throw new Error(`usage: npm run capacity -- ${usage.join(" ").replace("[--cameras N]", "--cameras N")}`);
  }
  return { ...DEFAULTS, ...Object.fromEntries(given) } as Installation;
}
