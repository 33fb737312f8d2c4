// Hands the signals of chronicles from webhooks of the old namespace to that of the new one.
import type { Admin } from "kafkajs";
import { groupName, topicName } from "../../../schemas/topics.ts";
import type { EndFor, PartitionEnds } from "../../common/kafka/read/partition-ends.ts";
import type { LogCopy } from "./copy-log.ts";

interface CarryDeps {
  readonly admin: Admin;
  readonly ends: Readonly<Record<EndFor, PartitionEnds>>;
  /** Namespaces. */
  readonly from: string;
  readonly to: string;
}

/**
 * Signals that the old webhooks raises after the copy of its topic is complete would be lost, because the new one
 * begins at the position behind them. A partition without a position has nothing that concerns a subscription.
 */
export async function unraised(deps: Omit<CarryDeps, "to">): Promise<string | undefined> {
  const { admin, ends, from } = deps;
  const [groupId, topic] = [groupName(from, "chronicle-signals"), topicName(from, "chronicles")];
  const { groups } = await admin.describeGroups([groupId]);
  if (groups.every(({ members }) => members.length === 0)) return undefined;
  const [[found], end] = await Promise.all([admin.fetchOffsets({ groupId, topics: [topic] }), ends.readers.ask(topic)]);
  for (const { partition, offset } of found?.partitions ?? []) {
    const left = (end.get(partition) ?? Number.POSITIVE_INFINITY) - Number(offset);
    if (Number(offset) >= 0 && left > 0) return `${left} messages of chronicles/${partition}`;
  }
  return undefined;
}

/** The group's offset is the position of the reader that raises the signals of chronicles. */
export async function carryChroniclesOver(copy: LogCopy, { admin, from, to }: CarryDeps): Promise<void> {
  const group = (namespace: string) => groupName(namespace, "chronicle-signals");
  const topic = (namespace: string) => topicName(namespace, "chronicles");
  const [found] = await admin.fetchOffsets({ groupId: group(from), topics: [topic(from)] });
  const committed = (found?.partitions ?? []).filter(({ offset }) => Number(offset) >= 0);
  const partitions = await Promise.all(
    committed.flatMap(({ partition, offset }) =>
      copy.targetsOf("chronicles", partition).map(async (target) => {
        const next = await copy.copied.behind("chronicles", target, Number(offset));
        return { partition: target, offset: String(next) };
      }),
    ),
  );
  if (partitions.length > 0) await admin.setOffsets({ groupId: group(to), topic: topic(to), partitions });
}
