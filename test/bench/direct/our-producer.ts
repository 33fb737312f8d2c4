// Ours: encodes each event, adds headers and publishes it in one call, as the API does. The same start and messages as
// for the plain producer.
import { z } from "zod";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { createBenchPublisher, event, log } from "../camera-log.ts";
import { toMessage } from "./message.ts";

const [topic = "", batch = "1"] = process.argv.slice(2);
const config = loadConfig(z.object({ ...kafkaEnv.shape, ...registryEnv.shape }), process.env);
/** Prepared beforehand; encoding is part of the measured work. */
const SAMPLES = 16 * Number(batch);

const codec = await createCodec(config);
const samples = Array.from({ length: SAMPLES }, (_, n) => event(n));
const publisher = createBenchPublisher(createKafka("tracklog-bench", config, log), topic);
await publisher.start();

process.on("message", async (events: number) => {
  const startedAt = performance.now();
  let sent = 0;
  const caller = async () => {
    while (sent < events) {
      const next = samples[sent++ % SAMPLES];
      if (next !== undefined) await publisher.publish([{ topic, ...toMessage(codec, next) }]);
    }
  };
  // So many that one batch fills while another is in flight.
  await Promise.all(Array.from({ length: 3 * Number(batch) }, caller));
  process.send?.((performance.now() - startedAt) / 1_000);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
