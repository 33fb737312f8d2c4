// npm run repartition -- --partitions N --namespace NEW [--database NAME] [--change-over]
import { parseArgs } from "node:util";
import { messageOf } from "../../../schemas/errors.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { ConfigError, namespaceEnv } from "../../common/config.ts";
import { stopRequested } from "../../common/lifecycle.ts";
import { createLog } from "../../common/log.ts";
import { repartitionEnv } from "./config.ts";
import { repartition } from "./repartition.ts";

const USAGE = `usage: npm run repartition -- --partitions N --namespace NEW [--database NAME] [--change-over]
  copies the namespace of TRACKLOG_NAMESPACE into NEW, which gets N partitions, and follows it until it is stopped;
  with --change-over it closes the old namespace and opens the new one as soon as state machine and projector of
  NEW follow. docs/growing.md has the steps.`;

try {
  const stop = new AbortController();
  void stopRequested().then(() => stop.abort());
  const options = parse();
  const config = await loadCommandConfig(repartitionEnv, process.env);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  await repartition({
    ...options,
    config,
    log: createLog("repartition", config.LOG_LEVEL),
    print,
    signal: stop.signal,
  });
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
// Clients of lost stores may still hold timers.
setTimeout(() => process.exit(), 500).unref();

function parse() {
  const { values } = parseArgs({
    options: {
      partitions: { type: "string" },
      namespace: { type: "string" },
      database: { type: "string" },
      "change-over": { type: "boolean", default: false },
    },
  });
  const namespace = namespaceEnv.safeParse({ TRACKLOG_NAMESPACE: values.namespace ?? "" });
  if (!namespace.success || !values.namespace || values.partitions === undefined) throw new ConfigError(USAGE);
  return {
    to: values.namespace,
    partitions: Number(values.partitions),
    database: values.database,
    changesOver: values["change-over"],
  };
}
