// The groups of processes that read the log. Their offsets in Kafka are hints, which they store after their work is
// durable, so the lag is never less than the truth.
import kafkajs, { type Admin, type GroupDescription } from "kafkajs";
import { groupName, type Topic, topicName, topics } from "../../../schemas/topics.ts";
import { ledRanges } from "../../common/kafka/offsets.ts";

export interface Readers {
  readonly name: string;
  readonly processes: readonly { readonly id: string; readonly host: string; readonly partitions: number }[];
  readonly lags: readonly { readonly topic: Topic; readonly messages: number }[];
}

/** The last one makes signals of chronicles; its processes are those of `webhooks`. */
const GROUPS = ["state-machine", "projector", "webhooks", "chronicle-signals"] as const;

export async function readersOf(admin: Admin, namespace: string): Promise<Readers[]> {
  const { groups } = await admin.describeGroups(GROUPS.map((name) => groupName(namespace, name)));
  // The broker answers in any order.
  const described = new Map(groups.map((group) => [group.groupId, group]));
  return Promise.all(
    GROUPS.map(async (name) => {
      const groupId = groupName(namespace, name);
      const processes = (described.get(groupId)?.members ?? []).map(processOf);
      return { name, processes, lags: await lagsOf(admin, namespace, groupId) };
    }),
  );
}

function processOf({ memberId, clientHost, memberAssignment }: GroupDescription["members"][number]) {
  const assigned = kafkajs.AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment ?? {};
  const partitions = Object.values(assigned).reduce((sum, each) => sum + each.length, 0);
  // The host begins with a slash, as Java writes addresses without a name.
  return { id: memberId, host: clientHost.replace(/^\//, ""), partitions };
}

async function lagsOf(admin: Admin, namespace: string, groupId: string): Promise<Readers["lags"]> {
  const nameOf = new Map((Object.keys(topics) as Topic[]).map((name) => [topicName(namespace, name), name]));
  const committed = await admin.fetchOffsets({ groupId });
  const lags = await Promise.all(
    committed.map(async ({ topic, partitions }) => {
      const name = nameOf.get(topic);
      if (name === undefined) return [];
      const ranges = new Map((await ledRanges(admin, topic)).map((range) => [range.partition, range]));
      const messages = partitions.map(({ partition, offset }) => {
        const { low = 0, high = 0 } = ranges.get(partition) ?? {};
        return Math.max(0, high - Math.max(low, Number(offset)));
      });
      return [{ topic: name, messages: messages.reduce((sum, each) => sum + each, 0) }];
    }),
  );
  return lags.flat();
}
