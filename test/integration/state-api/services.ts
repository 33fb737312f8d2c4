// One REST interface in this process, over the real stores of the test run. A file of tests shares it.
import type { Events, EventType, Scope, Typed } from "../../../schemas/events.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { createTokenStore } from "../../../services/cli/tokens/store.ts";
import type { Publisher } from "../../../services/common/kafka/write/publisher.ts";
import type { Part } from "../../../services/common/lifecycle.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { assembleStateApi } from "../../../services/state-api/assemble.ts";
import { type StateApiConfig, stateApiEnv } from "../../../services/state-api/shared/config.ts";
import { askAt, type Headers } from "../../support/clients/rest-client.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { until } from "../../support/running/processes.ts";

export type { Answer, Ask, Headers } from "../../support/clients/rest-client.ts";
export { askAt } from "../../support/clients/rest-client.ts";

type Settings = Readonly<Record<string, string>>;

/** The caller stops it. `settings`: variables of the service. */
export async function createStateApi(settings: Settings = {}) {
  const installation = await provideInstallation("rest", { CAMERA_PARTITIONS: "3", ...settings });
  const { codec, namespace, kafka, log } = installation;
  const started: Part[] = [];
  const urls: string[] = [];
  let publisher: Promise<Publisher> | undefined;

  /** One more instance; resolves with its `http://host:port`. */
  async function start(other: Partial<StateApiConfig> = {}): Promise<string> {
    const port = await freePort();
    const config = installation.config(stateApiEnv);
    const parts = assembleStateApi({
      config: { ...config, ...other, STATE_API_HOST: "127.0.0.1", STATE_API_PORT: port },
      codec,
      log,
    });
    for (const part of parts) {
      started.push(part);
      await part.start();
    }
    const url = `http://127.0.0.1:${port}`;
    urls.push(url);
    return url;
  }

  const tokens = createTokenStore({ kafka, codec, namespace, log, now: Date.now });

  /** Resolves once all instances know it. */
  async function createToken(...scopes: readonly Scope[]): Promise<Headers> {
    const { id, value } = await tokens.create("test", scopes);
    const token = { "x-token-id": id, "x-token-value": value };
    const isKnown = async (url: string) => (await askAt(url, token)("GET", "/api/subscriptions")).status !== 401;
    await Promise.all(urls.map((url) => until(() => isKnown(url))));
    return token;
  }

  const revokeToken = (token: Headers): Promise<void> => tokens.revoke(token["x-token-id"] ?? "");

  /** Writes to the topic as the process does that owns it. */
  async function publish<T extends EventType>(type: T, ...events: readonly Events[T][]): Promise<void> {
    publisher ??= installation.openPublisher();
    const written = { source: "test", timeMs: Date.now() };
    const messages = events.map((event) => recordMessage(codec, namespace, { type, event } as Typed, written));
    await (await publisher).publish(messages);
  }

  async function stop(): Promise<void> {
    for (const part of started.reverse()) await part.stop();
    await installation.remove();
  }

  const token = await createToken("read", "write");
  const url = await start();
  return { installation, url, token, ask: askAt(url, token), start, createToken, revokeToken, publish, stop };
}
