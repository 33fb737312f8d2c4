import type { Scope } from "../../../schemas/catalog/token.ts";
import { createTokenStore } from "../../../services/cli/tokens/store.ts";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLog } from "../../../services/common/log.ts";
import type { System } from "./launch-system.ts";
import { sharedCodec } from "./shared-codec.ts";

const log = createLog("test", "silent");

/** Another token for a system that has one with the scopes read and write. */
export async function newToken({ env, namespace }: Pick<System, "env" | "namespace">, scopes: readonly Scope[]) {
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), log);
  const codec = await sharedCodec(env);
  return createTokenStore({ kafka, codec, namespace, log, now: Date.now }).create(scopes.join(), [...scopes]);
}
