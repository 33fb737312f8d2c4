// Compares replay sessions of a whole recording with live subscriptions: a stretch of it, named in each way.
import { loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { openInspector } from "../clients/final-state-inspector.ts";
import { type Ask, askAt } from "../clients/rest-client.ts";
import { launchSystem, type System } from "../running/launch-system.ts";
import { startStateApi } from "../running/state-api.ts";
import { createStage, playScene } from "../scenes/play-scene.ts";
import { type Recorded, readCamera, START } from "../scenes/recorded-camera.ts";
import { awaitDelivered, awaitFirstSignal } from "./live-signals.ts";
import {
  compareMatrix,
  type MatrixCell,
  type MatrixKind,
  matrixIds,
  matrixKinds,
  readSignals,
} from "./replay-matrix.ts";
import { startTally, type Tally } from "./signal-tally.ts";

const WORKFLOW = { workflow_name: "matrix", workflow_id: "matrix" };
const SETTINGS = {
  TRACK_TTL: "5",
  ALLOWED_URL_CIDRS: "127.0.0.0/8",
  REPLAY_LOAD_PERCENT: "100",
  // Everything is played at once, and no update may be merged or find the queue full.
  WEBHOOKS_MERGE_AFTER_MS: "86400000",
  WEBHOOKS_QUEUE_SIGNALS: "1000000",
  WEBHOOKS_QUEUE_BYTES: String(16 * 1024 ** 3),
};
/** The state of a zone has all of its tracks, so a crowd in all the zones would take very long. */
const EVERY_ZONE = 5;
const SETTLED_MS = 1_800_000;

/** Rejects with the first difference. `from`: the folder of the recording. */
export async function verifyMatrix(
  stores: Readonly<Record<string, string>>,
  namespace: string,
  { recorded, from, print }: { recorded: Recorded; from: string; print: (text: string) => void },
): Promise<MatrixCell[]> {
  const recording = await readCamera(recorded, from);
  const camera = { ...recording, zones: recording.zones.filter((_, i) => i % EVERY_ZONE === 0) };
  const { system, stop } = await launchSystem(stores, namespace, SETTINGS);
  const inspector = await openInspector(system);
  const live = new Map<MatrixKind, Tally>();
  try {
    const { id, value } = system.token;
    const ask = askAt(await startStateApi(system), { "x-token-id": id, "x-token-value": value });
    await Promise.all([system.start("webhooks"), system.start("replay")]);
    for (const kind of Object.keys(matrixKinds) as MatrixKind[]) live.set(kind, await subscribe(ask, kind, system));
    const reportedOf = (kind: MatrixKind) => live.get(kind)?.reported ?? [];
    await awaitFirstSignal(system, () => reportedOf("track_state, streaming").length > 0);
    await playScene(system.client, await createStage(system.client, { cameras: [camera] }));
    await inspector.settled(SETTLED_MS);
    await awaitDelivered(inspector, [...live.values()], print);
    const codec = await createCodec(loadConfig(registryEnv, system.env));
    const signals = await readSignals(inspector.kafka, codec, namespace);
    const played = signals.filter(({ trackId }) => !trackId.startsWith("early-"));
    const sources = new Set(played.map(({ dataSourceId }) => dataSourceId));
    const isPlayed = ({ dataSourceId }: { readonly dataSourceId: string }) => sources.has(dataSourceId);
    return await compareMatrix({
      ...{ ask, workflow: WORKFLOW, name: "matrix", since: Date.parse(START) },
      signals: signals.filter(isPlayed),
      live: new Map([...live].map(([kind, tally]) => [kind, tally.reported.filter(isPlayed)])),
    });
  } finally {
    await Promise.all([...live.values()].map((tally) => tally.close()));
    await inspector.close();
    await stop();
  }
}

async function subscribe(ask: Ask, kind: MatrixKind, { token }: System): Promise<Tally> {
  const tally = await startTally();
  const credentials = { x_token_id: token.id, x_token_value: token.value };
  const body = { webhook_url: tally.url, credentials, ...WORKFLOW, ...matrixKinds[kind] };
  const { status, body: answer } = await ask("POST", `/api/subscriptions/${matrixIds[kind]}`, body);
  if (status !== 201) throw new Error(`answered ${status} ${JSON.stringify(answer)}`);
  return tally;
}
