// npm run test:chaos -- --seed N --minutes M: inflicts all faults under a load, at random moments and overlapping,
// and then makes the same comparison as after each of them alone. Prints the first difference, and ends with code 1
// if there is one.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom, seedFor } from "../../../services/cli/demo/scene/random.ts";
import { type Stores, startStores } from "../../../services/embedded/stores.ts";
import { openInspector } from "../../support/clients/final-state-inspector.ts";
import { survive } from "../../support/oracles/survive.ts";
import { quickSettings, TTL_MS } from "../../support/running/final-state-settings.ts";
import { type KafkaCluster, startKafkaCluster } from "../../support/running/kafka-cluster.ts";
import { type LaunchedSystem, launchSystem, type System } from "../../support/running/launch-system.ts";
import { startTwins } from "../../support/scenes/twins.ts";
import { deadLettersDiffer } from "../bad-messages.ts";
import { startBatchReceiver } from "./batch-receiver.ts";
import { inflict } from "./inflict.ts";
import { rememberTracks } from "./remember.ts";
import { createSchedule } from "./schedule.ts";
import { sendBadMessages } from "./spoil.ts";
import { sendTransactions } from "./transact.ts";

/** Enough that the state machine writes a flushed Redis again in many portions. */
const REMEMBERED_TRACKS = 100_000;

const { seed, minutes } = parseCommand();
const scratch = await mkdtemp(join(tmpdir(), "tracklog-chaos-"));
const { PATH, JAVA_HOME, HOME } = process.env;
const cluster = await startKafkaCluster(join(scratch, "kafka"));
const others = await startStores({ dataDir: join(scratch, "stores"), env: { PATH, JAVA_HOME, HOME, ...cluster.env } });
const stores = withCluster(others, cluster);
let launched: LaunchedSystem | undefined;
try {
  const env = { ...stores.env, ...cluster.env };
  launched = await launchSystem(env, `chaos_${seed}`, {
    ...(await quickSettings(env)),
    ALLOWED_URL_CIDRS: "127.0.0.0/8",
  });
  await run(launched.system);
} catch (error) {
  process.exitCode = 1;
  print(`seed ${seed}: a difference after all, or no end at all:\n${error instanceof Error ? error.message : error}`);
  if (launched !== undefined) print(`logs of the services: ${await keepLogs(launched.system)}`);
} finally {
  await launched?.stop();
  await others.stop();
  await cluster.stop();
  // The logs of a run that failed are kept.
  if (process.exitCode !== 1) await rm(scratch, { recursive: true, force: true });
}
process.exit();

async function run(system: System): Promise<void> {
  const schedule = createSchedule(seed, minutes);
  const inspector = await openInspector(system);
  const load = {
    seed,
    pauseMs: 200,
    impatient: true,
    backfill: true,
    cameras: 6,
    walkersPerCamera: 5,
    seconds: minutes * 60,
  };
  print(`seed ${seed}: ${schedule.services.length + schedule.stores.length} faults in ${minutes} minutes`);
  await rememberTracks(inspector, REMEMBERED_TRACKS);
  let counts = {};
  const twins = await startTwins(system, inspector, TTL_MS);
  const batches = await startBatchReceiver(system, twins.dataSourceIds);
  twins.begin();
  const victim = { system, stores, cluster, inspector, batches, print };
  let check: () => Promise<void> = async () => undefined;
  const state = await survive(system, { ttlMs: TTL_MS, objects: true, ...load }, async (world) => {
    const spoiling = await sendBadMessages(world, inspector, createRandom(seedFor(seed, 3)));
    const transacting = sendTransactions(world, inspector, createRandom(seedFor(seed, 4)));
    const endMs = minutes * 60_000;
    const lanes = [schedule.services, schedule.stores];
    const inflicted = await Promise.all(lanes.map((strikes) => inflict(strikes, endMs, victim)));
    const findBad = await spoiling.stop();
    counts = { ...world.load.counts(), transactions: await transacting.stop() };
    const differs = await twins.stop();
    check = async () => {
      const complaints = inflicted.flatMap((lane) => lane.complaints);
      for (const check of inflicted.flatMap((lane) => lane.checks)) {
        const wrong = await check();
        if (wrong !== undefined) complaints.push(wrong);
      }
      const ofTwins = await differs();
      if (ofTwins !== undefined) complaints.push(`the cameras with equal track ids: ${ofTwins}`);
      const unsent = await batches.missing(twins.tracks());
      if (unsent.length > 0) complaints.push(`the batches lack ${unsent.length} ended tracks, e.g. ${unsent[0]}`);
      const bad = await findBad();
      counts = { ...counts, badMessages: bad.length };
      if (bad.length === 0) complaints.push("no bad message is in the log");
      const difference = await deadLettersDiffer(inspector, bad);
      if (difference !== undefined) complaints.push(difference);
      if (complaints.length > 0) throw new Error(complaints.join("\n"));
    };
  });
  await check();
  await batches.close();
  await inspector.close();
  process.stdout.write(`${JSON.stringify({ seed, minutes, difference: null, ...counts, ...state })}\n`);
}

/** Kafka means the cluster: it is away when all its nodes are; a fault of one process hits the first node. */
function withCluster(stores: Stores, { nodes }: KafkaCluster): Stores {
  return {
    ...stores,
    pids: () => {
      const pid = nodes[0]?.pid();
      return { ...stores.pids(), ...(pid === undefined ? {} : { kafka: pid }) };
    },
    halt: async (part) =>
      part === "kafka" ? void (await Promise.all(nodes.map((node) => node.halt()))) : stores.halt(part),
    resume: async (part) =>
      part === "kafka" ? void (await Promise.all(nodes.map((node) => node.start()))) : stores.resume(part),
  };
}

async function keepLogs({ started }: System): Promise<string> {
  const dir = join(scratch, "services");
  await mkdir(dir);
  await Promise.all(started.map(({ name, output }, i) => writeFile(join(dir, `${i}-${name}.log`), output())));
  return dir;
}

function parseCommand(): { seed: number; minutes: number } {
  const { values } = parseArgs({
    options: { seed: { type: "string", default: "1" }, minutes: { type: "string", default: "10" } },
  });
  const [asked, long] = [Number(values.seed), Number(values.minutes)];
  if (!Number.isInteger(asked) || !(long > 0)) {
    process.stderr.write("usage: npm run test:chaos -- --seed N --minutes M\n");
    process.exit(2);
  }
  return { seed: asked, minutes: long };
}

function print(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`);
}
