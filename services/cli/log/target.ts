// The condition of the namespace into which a stretch is imported.
import type { Admin } from "kafkajs";
import { groupName, topicName } from "../../../schemas/topics.ts";
import { HOUR_MS } from "../../../schemas/units.ts";
import { ledRanges } from "../../common/kafka/offsets.ts";
import { FILLING, isFilling, valuesOnTopics } from "../../common/kafka/write/filling.ts";
import type { StretchFile } from "../../recorded/stretch/read-stretch.ts";

/**
 * "missing": the namespace has no camera-log. "empty": the camera-log never had a message. "begun": an import fills it.
 * "open": it has messages.
 */
export type TargetCondition = "missing" | "empty" | "begun" | "open";

export async function conditionOf(admin: Admin, namespace: string): Promise<TargetCondition> {
  const topic = topicName(namespace, "camera-log");
  if (!(await admin.listTopics()).includes(topic)) return "missing";
  if (await isFilling(admin, topic)) return refuseCopy(admin, topic);
  const ranges = await ledRanges(admin, topic);
  return ranges.every(({ high }) => high === 0) ? "empty" : "open";
}

/** The command that copies a namespace sets a larger size of messages, too. */
async function refuseCopy(admin: Admin, topic: string): Promise<"begun"> {
  const setting = "max.message.bytes";
  const value = (await valuesOnTopics(admin, [topic], setting)).get(topic);
  if (value !== FILLING.get(setting)) return "begun";
  throw new Error(`Nothing was changed: npm run repartition is filling ${topic}.`);
}

interface FillingTarget {
  readonly admin: Admin;
  readonly namespace: string;
  readonly retentionMs: number;
  readonly now: () => number;
}

const ROLES = ["state-machine", "projector"] as const;
/** Time for the state machine and the projector to read the log before the broker removes it. */
const MARGIN_MS = HOUR_MS;

/** Rejects when the namespace cannot keep the recorded times. */
export async function refuseForFilling({ facts }: StretchFile, target: FillingTarget): Promise<void> {
  const { admin, namespace, retentionMs, now } = target;
  const ageMs = now() - facts.firstRecordedAt;
  if (ageMs + MARGIN_MS > retentionMs) {
    const days = Math.ceil((ageMs + MARGIN_MS) / (24 * HOUR_MS));
    throw new Error(
      `Nothing was changed: the stretch is older than the log is kept, so the broker would remove it. Set ` +
        `CAMERA_LOG_RETENTION_MS for the namespace to ${days} days or more (${days * 24 * HOUR_MS}), or say --at now.`,
    );
  }
  const { groups } = await admin.describeGroups(ROLES.map((role) => groupName(namespace, role)));
  // The broker answers in any order.
  const atWork = new Set(groups.filter(({ members }) => members.length > 0).map(({ groupId }) => groupId));
  const working = ROLES.filter((role) => atWork.has(groupName(namespace, role)));
  if (working.length === 0) return;
  throw new Error(
    `Nothing was changed: ${working.join(" and ")} of the namespace work. The recorded times need a log to which ` +
      "nobody else writes: stop all processes of the namespace, or say --at now.",
  );
}
