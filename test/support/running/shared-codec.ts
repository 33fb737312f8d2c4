// A codec looks up each of some thirty schemas in the registry when it is made. Helpers that only write and read share
// one in each process. A service under test has a codec of its own: what it has read changes what it asks.
import type { Codec } from "../../../schemas/codec.ts";
import { loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";

const codecs = new Map<string, Promise<Codec>>();

/** The schemas are registered when this resolves. */
export function sharedCodec(env: Readonly<Record<string, string>>): Promise<Codec> {
  const config = loadConfig(registryEnv, env);
  const key = JSON.stringify(config);
  const codec = codecs.get(key) ?? createCodec(config);
  codecs.set(key, codec);
  codec.catch(() => codecs.delete(key));
  return codec;
}
