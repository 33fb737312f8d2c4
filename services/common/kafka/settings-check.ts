// Notices that a process has other values of the settings that shape results than the state machines at work. Their group has its
// values as the name of its protocol (agreement.ts), and the broker says it while a state machine is a member.
import type { Kafka } from "kafkajs";
import { messageOf } from "../../../schemas/errors.ts";
import { groupName } from "../../../schemas/topics.ts";
import { HopelessError } from "../hopeless.ts";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { pause, untilSo } from "../loop.ts";
import { DISAGREEMENT_GRACE_MS } from "./membership.ts";

export interface SettingsCheckOptions {
  readonly kafka: Kafka;
  readonly namespace: string;
  /** The values of this process. Those that the state machines do not name are not compared. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly sessionTimeoutMs: number;
  readonly log: Log;
  readonly everyMs?: number;
}

interface Difference {
  readonly theirs: string;
  readonly ours: string;
}

const EVERY_MS = 60_000;
const ASK_AGAIN_MS = 500;

/**
 * Its start rejects while state machines are at work with other values, once the sessions of dead ones would have ended. Later a
 * difference is an error in the log only: one state machine with wrong values must not end all other processes.
 */
export function settingsCheck({ everyMs = EVERY_MS, ...options }: SettingsCheckOptions): Part {
  const { kafka, namespace, config, sessionTimeoutMs, log } = options;
  const groupId = groupName(namespace, "state-machine");
  const admin = kafka.admin();
  const stopping = new AbortController();
  let watching: Promise<void> | undefined;

  /** Undefined also when no state machine is at work, or nobody answers. */
  async function difference(): Promise<Difference | undefined> {
    try {
      const { groups } = await admin.describeGroups([groupId]);
      return differenceOf(groups[0]?.protocol ?? "", config);
    } catch (error) {
      log.debug({ err: messageOf(error) }, "the broker does not say which settings the state machines have");
      return undefined;
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      await pause(everyMs, stopping.signal);
      if (stopping.signal.aborted) return;
      const found = await difference();
      if (found !== undefined) log.error(found, "state machines are at work with other settings that shape results");
    }
  }

  return {
    name: "settings check",

    async start() {
      await admin.connect();
      let found: Difference | undefined;
      const agrees = async () => {
        found = await difference();
        return found === undefined;
      };
      const withinMs = sessionTimeoutMs + DISAGREEMENT_GRACE_MS;
      await untilSo(agrees, { pauseMs: ASK_AGAIN_MS, withinMs, signal: stopping.signal });
      if (found !== undefined) throw disagreement(found);
      watching = watch();
    },

    async stop() {
      stopping.abort();
      await watching;
      await admin.disconnect();
    },
  };
}

const disagreement = ({ theirs, ours }: Difference) =>
  new HopelessError(
    `the state machines are at work with other settings (${theirs}) than this process (${ours}): ` +
      "give all processes the same, and stop all state machines before one starts with other settings",
  );

/** `agreed`: NAME=value, several separated by spaces. */
function differenceOf(agreed: string, config: Readonly<Record<string, unknown>>): Difference | undefined {
  const theirs: string[] = [];
  const ours: string[] = [];
  for (const text of agreed.split(" ")) {
    const [name = ""] = text.split("=", 1);
    if (!Object.hasOwn(config, name)) continue;
    const own = `${name}=${config[name]}`;
    if (own === text) continue;
    theirs.push(text);
    ours.push(own);
  }
  return theirs.length === 0 ? undefined : { theirs: theirs.join(" "), ours: ours.join(" ") };
}
