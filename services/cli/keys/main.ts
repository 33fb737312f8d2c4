// npm run keys
import { messageOf } from "../../../schemas/errors.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { createLog } from "../../common/log.ts";
import { redisDatabase } from "../../common/redis/client.ts";
import { createRedisClient } from "../../common/redis/cluster.ts";
import { createCodec } from "../../common/registry/codec.ts";
import { createSealer } from "../../common/sealed.ts";
import { keysEnv } from "./config.ts";
import { printKeys } from "./count-keys.ts";

const REPLAY_DATABASE = 4;

try {
  const config = await loadCommandConfig(keysEnv, process.env);
  const log = createLog("keys", "silent");
  const redis = createRedisClient(redisDatabase(config, REPLAY_DATABASE), log);
  await redis.start();
  try {
    const isDone = await printKeys({
      kafka: createKafka("tracklog-keys", config, log),
      codec: await createCodec(config),
      redis: redis.client,
      sealer: createSealer(config),
      namespace: config.TRACKLOG_NAMESPACE,
      log,
      now: Date.now,
      print: (line) => process.stdout.write(`${line}\n`),
    });
    if (!isDone) process.exitCode = 1;
  } finally {
    await redis.stop();
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
