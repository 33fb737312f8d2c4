// Notices that a process has other values of the settings that shape results, or another fold, than the running state
// machines. Their group has its values as the name of its protocol (agreement.ts), and the broker reports the name
// while the group has a member.
import type { Kafka } from "kafkajs";
import { messageOf } from "../../../../schemas/errors.ts";
import { FOLD_VERSION } from "../../../../schemas/fold-version.ts";
import { groupName } from "../../../../schemas/topics.ts";
import type { Part } from "../../lifecycle.ts";
import type { Log } from "../../log.ts";
import { pause, untilSo } from "../../loop.ts";
import { PermanentError } from "../../permanent-errors.ts";
import { DISAGREEMENT_GRACE_MS } from "./membership.ts";

export interface SettingsCheckOptions {
  readonly kafka: Kafka;
  readonly namespace: string;
  /** Values of this process. Those that the state machines do not name are not compared. */
  readonly config: Readonly<Record<string, unknown>>;
  /**
   * True when the process folds the log itself: state machines with another version of the fold, or with none, are
   * refused as well.
   */
  readonly isFolding?: boolean;
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
 * The start rejects while running state machines have other values, once the sessions of dead ones would have ended.
 * Later a difference is an error in the log only: one state machine with wrong values must not end all other processes.
 */
export function settingsCheck({ everyMs = EVERY_MS, isFolding = false, ...options }: SettingsCheckOptions): Part {
  const { kafka, namespace, sessionTimeoutMs, log } = options;
  const config = isFolding ? { ...options.config, FOLD_VERSION } : options.config;
  const groupId = groupName(namespace, "state-machine");
  const admin = kafka.admin();
  const stopping = new AbortController();
  let watching: Promise<void> | undefined;

  /** @returns undefined when the values agree, no state machine is running, or no broker answers. */
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
  new PermanentError(
    `the state machines are at work with other settings (${theirs}) than this process (${ours}): ` +
      "give all processes the same, and stop all state machines before one starts with other settings (docs/upgrading.md)",
  );

/** `agreed` has the form NAME=value, several separated by spaces; it is empty while no state machine is running. */
function differenceOf(agreed: string, config: Readonly<Record<string, unknown>>): Difference | undefined {
  if (agreed === "") return undefined;
  const theirs: string[] = [];
  const ours: string[] = [];
  const values = new Map(agreed.split(" ").map((text) => [text.split("=", 1)[0] ?? "", text]));
  // State machines older than FOLD_VERSION name no version.
  if (!values.has("FOLD_VERSION")) values.set("FOLD_VERSION", "no FOLD_VERSION");
  for (const [name, text] of values) {
    if (!Object.hasOwn(config, name)) continue;
    const own = `${name}=${config[name]}`;
    if (own === text) continue;
    theirs.push(text);
    ours.push(own);
  }
  return theirs.length === 0 ? undefined : { theirs: theirs.join(" "), ours: ours.join(" ") };
}
