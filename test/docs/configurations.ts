// Every process with the variables that it reads, and the sections in which the manual describes them.
import type { z } from "zod";
import { eventBoundsEnv } from "../../schemas/bounds.ts";
import { apiEnv } from "../../services/api/config.ts";
import { subscriptionsEnv } from "../../services/api/subscriptions/config.ts";
import { deadLettersEnv } from "../../services/cli/dead-letters/config.ts";
import { demoEnv } from "../../services/cli/demo/config.ts";
import { keysEnv } from "../../services/cli/keys/config.ts";
import { importStretchEnv } from "../../services/cli/log/config.ts";
import { provisionEnv } from "../../services/cli/provision/config.ts";
import { reconcileEnv } from "../../services/cli/reconcile/config.ts";
import { replayCommandEnv } from "../../services/cli/replay/config.ts";
import { retentionEnv } from "../../services/cli/retention/config.ts";
import { tokensEnv } from "../../services/cli/tokens/config.ts";
import {
  answerTimesEnv,
  clickhouseEnv,
  dataDirEnv,
  kafkaEnv,
  logEnv,
  namespaceEnv,
  opsEnv,
  redisEnv,
  registryEnv,
  topicsEnv,
} from "../../services/common/config.ts";
import { foldEnv } from "../../services/common/fold-config.ts";
import { mediaEnv } from "../../services/common/media/config.ts";
import { outboundEnv } from "../../services/common/outbound/config.ts";
import { secretsEnv } from "../../services/common/sealed.ts";
import { tracingEnv } from "../../services/common/tracing/config.ts";
import { launcherEnv } from "../../services/embedded/config.ts";
import { migrateEnv, projectorEnv } from "../../services/projector/config.ts";
import { recordedStoresEnv } from "../../services/recorded/config.ts";
import { replayEnv } from "../../services/replay/config.ts";
import { stateApiEnv } from "../../services/state-api/shared/config.ts";
import { stateMachineEnv } from "../../services/state-machine/config.ts";
import { webhooksEnv } from "../../services/webhooks/config.ts";

export interface ConfiguredProcess {
  readonly name: string;
  readonly command: string;
  readonly kind: "service" | "command";
  readonly config: z.ZodObject;
}

/** Services run for ever; commands end. A command also reads TRACKLOG_DATA_DIR if it finds running stores by it. */
export const configuredProcesses: readonly ConfiguredProcess[] = [
  { name: "api", command: "npm run start:api", kind: "service", config: apiEnv },
  { name: "state-api", command: "npm run start:state-api", kind: "service", config: stateApiEnv },
  { name: "state-machine", command: "npm run start:state-machine", kind: "service", config: stateMachineEnv },
  { name: "webhooks", command: "npm run start:webhooks", kind: "service", config: webhooksEnv },
  { name: "replay", command: "npm run start:replay", kind: "service", config: replayEnv },
  { name: "projector", command: "npm run start:projector", kind: "service", config: projectorEnv },
  { name: "launcher", command: "npm start", kind: "command", config: launcherEnv },
  { name: "demo", command: "npm run demo", kind: "command", config: demoEnv },
  { name: "topics", command: "npm run topics", kind: "command", config: besideStores(provisionEnv) },
  { name: "migrate", command: "npm run migrate", kind: "command", config: besideStores(migrateEnv) },
  { name: "rebuild", command: "npm run rebuild", kind: "command", config: besideStores(projectorEnv) },
  { name: "tokens", command: "npm run tokens", kind: "command", config: besideStores(tokensEnv) },
  { name: "dead-letters", command: "npm run dead-letters", kind: "command", config: besideStores(deadLettersEnv) },
  { name: "backup", command: "npm run backup", kind: "command", config: besideStores(provisionEnv) },
  { name: "restore", command: "npm run restore", kind: "command", config: besideStores(provisionEnv) },
  { name: "keys", command: "npm run keys", kind: "command", config: besideStores(keysEnv) },
  { name: "reconcile", command: "npm run reconcile", kind: "command", config: besideStores(reconcileEnv) },
  { name: "log export", command: "npm run log -- export", kind: "command", config: besideStores(recordedStoresEnv) },
  { name: "log import", command: "npm run log -- import", kind: "command", config: besideStores(importStretchEnv) },
  { name: "replay command", command: "npm run replay", kind: "command", config: besideStores(replayCommandEnv) },
  { name: "retention", command: "npm run retention", kind: "command", config: besideStores(retentionEnv) },
  { name: "import", command: "npm run import", kind: "command", config: dataDirEnv },
];

function besideStores(config: z.ZodObject): z.ZodObject {
  return config.extend(dataDirEnv.shape);
}

export interface ConfigSection {
  readonly title: string;
  readonly about: string;
  /** The section has the variables of this configuration that no section before it has. */
  readonly config: z.ZodObject;
  /** The launcher's section repeats variables that have other defaults there. */
  readonly isOfLauncher?: boolean;
}

/** First what several processes have in common, then what is of one. */
export const configSections: readonly ConfigSection[] = [
  { title: "Kafka", about: "Connection to the brokers of the log.", config: kafkaEnv },
  {
    title: "Topics",
    about: "Properties of the topics. All processes must have the same values; `npm run topics` applies them.",
    config: topicsEnv,
  },
  { title: "Schema registry", about: "Connection to the registry of the Avro schemas.", config: registryEnv },
  { title: "Redis", about: "Connection to the store of live state.", config: redisEnv },
  {
    title: "ClickHouse",
    about: "Connection to the store of the history.",
    config: clickhouseEnv.omit({ TRACKLOG_NAMESPACE: true }),
  },
  { title: "Every process", about: "", config: namespaceEnv.extend(logEnv.shape).extend(opsEnv.shape) },
  {
    title: "Traces",
    about: "Traces of OpenTelemetry, which are off by default: [docs/tracing.md](tracing.md).",
    config: tracingEnv,
  },
  { title: "Data directory", about: "", config: dataDirEnv },
  {
    title: "Bounds of events",
    about:
      "Limits of what an event may contain. All processes must have the same values: then the API accepts nothing that a " +
      "reader of the log refuses. A message of a direct producer beyond them becomes a dead letter.",
    config: eventBoundsEnv,
  },
  {
    title: "The fold",
    about:
      "Settings that shape the results of folding the camera-log. All processes must have the same values. A process " +
      "compares them with those of the state machines at work, and refuses to start if they differ " +
      "([decision 0034](decisions/0034-settings-of-all-processes.md)).",
    config: foldEnv,
  },
  { title: "Secrets", about: "Keys for secrets at rest.", config: secretsEnv },
  {
    title: "Outgoing requests",
    about:
      "Addresses that callers choose: webhooks, and servers to ask. Without these settings only public ones are called.",
    config: outboundEnv,
  },
  {
    title: "Times of answers",
    about: "Limits of the GraphQL API. webhooks queries that API, so it must have the same values.",
    config: answerTimesEnv,
  },
  { title: "Media", about: "The store of images and videos: a folder or a bucket.", config: mediaEnv },
  {
    title: "GraphQL subscriptions",
    about: "Limits of subscriptions and of the feed behind them.",
    config: subscriptionsEnv,
  },
  { title: "GraphQL API", about: "Limits and times of queries and mutations.", config: apiEnv },
  { title: "REST interface", about: "Limits and times of the REST interface.", config: stateApiEnv },
  { title: "state-machine", about: "", config: stateMachineEnv },
  { title: "webhooks", about: "Times and limits of deliveries to receivers.", config: webhooksEnv },
  { title: "replay", about: "Times and limits of replay sessions.", config: replayEnv },
  { title: "projector", about: "", config: projectorEnv },
  {
    title: "npm start",
    about:
      "The launcher passes its environment on to the services. It gives them the values that it chooses itself: the " +
      "addresses of the stores that it starts, and the hosts below.",
    config: launcherEnv,
    isOfLauncher: true,
  },
  { title: "npm run demo", about: "", config: demoEnv },
];
