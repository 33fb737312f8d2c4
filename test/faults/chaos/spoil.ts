// One bad message among a thousand mutations, or a little more often.

import { records } from "../../../schemas/events.ts";
import { topicName } from "../../../schemas/topics.ts";
import type { Random } from "../../../services/cli/demo/scene/random.ts";
import type { Inspector } from "../../support/clients/final-state-inspector.ts";
import type { World } from "../../support/oracles/survive.ts";
import { until } from "../../support/running/processes.ts";
import { registerSchema, withSchemaId } from "../../support/scenes/schemas.ts";
import { type Bad, badMessages, type SentBad } from "../bad-messages.ts";

const EVERY_MUTATIONS = 500;
const POLL_MS = 200;
const SENT_WITHIN_MS = 120_000;
/**
 * Begins the source of a bad message, which ends with its reason: a message without an answer may be in the log
 * nevertheless, or twice.
 */
const BAD_SOURCE = "tracklog/bad-because ";

/**
 * Sends bad messages until it is stopped. The stop resolves with a function that finds its messages in the
 * camera-log. A caller calls this function when no transaction is open there any more, because readers see nothing
 * behind an open one.
 */
export async function sendBadMessages({ load, system }: World, inspector: Inspector, random: Random) {
  const topic = topicName(inspector.namespace, "camera-log");
  const producer = inspector.kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const unreadable = await unreadableMessages(system.env["SCHEMA_REGISTRY_URL"] ?? "");
  let running = true;

  async function sendOne(): Promise<void> {
    const { dataSourceId, camera } = load.stage[random.below(load.stage.length)] ?? {};
    if (dataSourceId === undefined || camera === undefined) throw new Error("a load without cameras");
    const bad = [...badMessages(inspector.codec, dataSourceId, camera.tracks[0]?.trackId ?? ""), ...unreadable];
    const chosen = bad[random.below(bad.length)];
    if (chosen === undefined) throw new Error("there are no bad messages");
    const headers = { ce_source: BAD_SOURCE + chosen.reason.source };
    const messages = [{ key: dataSourceId, value: chosen.value, headers }];
    await until(async () => (await producer.send({ topic, acks: -1, messages })).length, {
      timeoutMs: SENT_WITHIN_MS,
    });
  }

  async function work(): Promise<void> {
    for (let next = EVERY_MUTATIONS / 2; running; ) {
      if (load.counts().accepted >= next) {
        next += EVERY_MUTATIONS;
        await sendOne();
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  const working = work();
  working.catch(() => undefined);
  return {
    async stop(): Promise<() => Promise<readonly SentBad[]>> {
      running = false;
      await working;
      await producer.disconnect();
      return async () =>
        (await inspector.read("camera-log")).flatMap(({ partition, message: { offset, headers } }) => {
          const source = String(headers?.["ce_source"]);
          return source.startsWith(BAD_SOURCE)
            ? [{ partition, offset: Number(offset), reason: new RegExp(source.slice(BAD_SOURCE.length)) }]
            : [];
        });
    },
  };
}

/** Schemas that another producer registered: a TrackCreated that lacks what ours needs, and one in another language. */
async function unreadableMessages(registryUrl: string): Promise<Bad[]> {
  const fields = records.TrackCreated.fields.filter(({ name }) => name !== "tag");
  const json = { $schema: "http://json-schema.org/draft-07/schema#", type: "object" };
  const ids = [
    await registerSchema(registryUrl, "chaos-without-tag", { ...records.TrackCreated, fields }),
    await registerSchema(registryUrl, "chaos-json", json, "JSON"),
  ];
  return ids.map((id) => ({ value: withSchemaId(id, Buffer.from([2])), reason: /cannot be read/ }));
}
