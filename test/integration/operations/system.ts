// The services of an installation in this process, and what an operator compares: the answers of both interfaces.
import { randomUUID } from "node:crypto";
import { groupName } from "../../../schemas/topics.ts";
import { assembleApi } from "../../../services/api/assemble.ts";
import { apiEnv } from "../../../services/api/config.ts";
import { createTokenStore } from "../../../services/cli/tokens/store.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { type Part, run } from "../../../services/common/lifecycle.ts";
import { createLog } from "../../../services/common/log.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { assembleProjector } from "../../../services/projector/assemble.ts";
import { projectorEnv } from "../../../services/projector/config.ts";
import { assembleStateApi } from "../../../services/state-api/assemble.ts";
import { stateApiEnv } from "../../../services/state-api/shared/config.ts";
import { assembleStateMachine } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { createGraphQLClient } from "../../support/clients/graphql-client.ts";
import { askAt } from "../../support/clients/rest-client.ts";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { until } from "../../support/running/processes.ts";

type Variables = Readonly<Record<string, string>>;
type Token = { readonly id: string; readonly value: string };
type Role = "api" | "state-api" | "state-machine" | "projector";

const log = createLog("test", process.env["LOG_LEVEL"] ?? "silent");

export interface Running {
  stop(): Promise<void>;
}

async function startParts(parts: readonly Part[]): Promise<Running> {
  const stopping = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const last: Part = { name: "all", start: async () => started.resolve(), stop: async () => undefined };
  const ended = run([...parts, last], stopping.promise, log);
  await Promise.race([started.promise, ended]);
  const stop = async () => {
    stopping.resolve();
    await ended;
  };
  atTheEnd(() => stop().catch(() => undefined));
  return { stop };
}

export async function startRole(role: Role, variables: Variables): Promise<Running> {
  const codec = await createCodec(loadConfig(stateMachineEnv, variables));
  switch (role) {
    case "api":
      return startParts(await assembleApi(loadConfig(apiEnv, variables), codec, log));
    case "state-api":
      return startParts(assembleStateApi({ config: loadConfig(stateApiEnv, variables), codec, log }));
    case "state-machine":
      return startParts(assembleStateMachine({ config: loadConfig(stateMachineEnv, variables), codec, log }));
    case "projector": {
      const config = loadConfig(projectorEnv, variables);
      const [groupId, database] = [groupName(config.TRACKLOG_NAMESPACE, "projector"), config.CLICKHOUSE_DATABASE];
      const options = { config, codec, log, groupId, database: database ?? "", deadLetters: true };
      return startParts(assembleProjector(options).parts);
    }
  }
}

const ALL: readonly Role[] = ["projector", "state-machine", "api", "state-api"];

export async function startAll(given: Variables, token: Token, roles = ALL) {
  const ports = { API_PORT: String(await freePort()), STATE_API_PORT: String(await freePort()) };
  const variables = { ...given, ...ports, API_HOST: "127.0.0.1", STATE_API_HOST: "127.0.0.1" };
  const running = new Map(
    await Promise.all(roles.map(async (role) => [role, await startRole(role, variables)] as const)),
  );
  const headers = { "x-token-id": token.id, "x-token-value": token.value };
  const client = createGraphQLClient(`http://127.0.0.1:${ports.API_PORT}/graphql`, token);
  const rest = askAt(`http://127.0.0.1:${ports.STATE_API_PORT}`, headers);
  if (running.has("api")) await until(async () => (await client.send("{ __typename }")).errors === undefined);
  if (running.has("state-api")) await until(async () => (await rest("GET", "/api/subscriptions")).status === 200);
  return {
    client,
    rest,
    headers,
    variables,
    stopRole: (role: Role) => running.get(role)?.stop(),
    stop: async () => void (await Promise.all([...running.values()].map((each) => each.stop()))),
  };
}

export type Whole = Awaited<ReturnType<typeof startAll>>;

export async function createToken(variables: Variables): Promise<Token> {
  const config = loadConfig(stateMachineEnv, variables);
  const deps = { kafka: createKafka("test", config, log), codec: await createCodec(config), log, now: Date.now };
  return createTokenStore({ ...deps, namespace: config.TRACKLOG_NAMESPACE }).create("operator", ["read", "write"]);
}

export interface Written {
  /** The positions of all writes, for `x-min-position`. */
  readonly position: string;
}

const START = Date.now() - 60_000;
const at = (ms: number) => new Date(START + ms).toISOString();
const box = (x: number) => ({
  type: "Polygon",
  coordinates: [
    [
      [x, 0],
      [x + 10, 0],
      [x + 10, 10],
      [x, 10],
      [x, 0],
    ],
  ],
});

/** One object of each kind that a backup must bring back, a track that crosses a zone, and a subscription. */
export async function writeScene(whole: Whole, image: Buffer): Promise<Written> {
  const { client, rest, headers } = whole;
  const positions: string[] = [];
  const write = async (mutation: string, variables: object = {}): Promise<void> => {
    const { errors, extensions } = await client.send(mutation, variables);
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    if (extensions?.position !== undefined) positions.push(extensions.position);
  };
  await write(`mutation { createSite(site: { id: "yard", name: "Yard" }) { id } }`);
  await write(`mutation { createDataSource(dataSource: { id: "gate", name: "Gate", type: VIDEO_DEVICE }) { id } }`);
  await write(`mutation { updateDataSource(dataSource: { id: "gate", name: "North gate" }) { id } }`);
  await write("mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }", {
    zone: { id: "lane", dataSourceId: "gate", name: "Lane", polygon: box(20) },
  });
  await write(`mutation { createChronicleProducer(chronicleProducer: { id: "p", name: "p", active: true }) { id } }`);
  await write(
    `mutation ($a: CreateActivityChronicleInput!) { createActivityChronicle(activityChronicle: $a) { id } }`,
    { a: { id: ACTIVITY, name: "loading", chronicleProducerId: "p", startTime: at(0), dataSourceIds: ["gate"] } },
  );
  await write(`mutation ($v: CreateVideoInput!) { createVideo(video: $v) { id } }`, {
    v: { id: "v1", dataSourceId: "gate", startTime: at(0), path: "recordings/v1.mp4" },
  });
  await write(`mutation ($i: UploadImageInput!) { uploadImage(image: $i) { id } }`, {
    i: { dataSourceId: "gate", timestamp: at(0), data: image.toString("base64") },
  });
  positions.push(await writeTrack(whole, "walker"));
  const { status } = await rest("POST", "/api/subscriptions/hook", {
    ...{ webhook_url: "https://hooks.example.com/a", workflow_name: "A", mode: "streaming" },
    ...{ signal_type: "track_state", credentials: credentialsOf(headers) },
  });
  if (status !== 201) throw new Error(`the subscription was answered with ${status}`);
  return { position: positions.join(",") };
}

/** A track that walks through the zone. Resolves with its position in the log. */
export async function writeTrack({ client }: Whole, id: string): Promise<string> {
  const track = {
    ...{ id, dataSourceId: "gate", tag: "person", startTime: at(0), endTime: at(10_000) },
    detections: [0, 10, 20, 30, 40].map((x) => ({ timestamp: at(x * 100), polygon: box(x) })),
  };
  const mutation = "mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }";
  const { errors, extensions } = await client.send(mutation, { track });
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return extensions?.position ?? "";
}

const ACTIVITY = randomUUID();

const credentialsOf = (headers: Readonly<Record<string, string>>) => ({
  x_token_id: headers["x-token-id"],
  x_token_value: headers["x-token-value"],
});

const RECORD = `{
  sites(first: 5) { edges { node { id name timezone } } }
  dataSources(first: 5) { edges { node { id name } } }
  zones(first: 5) { edges { node { id name active createdAt updatedAt polygon { coordinates } } } }
  tags(first: 5) { edges { node { id name } } }
  activityChronicles(first: 5) { edges { node { id name startTime chronicleProducer { name } } } }
  videos(filter: { startTime: { between: ["2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z"] } }, first: 5) { edges { node { id startTime dataSource { id } } } }
  images(first: 5) { edges { node { id timestamp dataSourceId } } }
}`;

const DERIVED = `query ($time: FilterDateTimeOffsetInput!) {
  tracks(filter: {}, first: 5) { edges { node { id tag startTime } } }
  detections(filter: { time: $time }, first: 50) { totalCount edges { node { timestamp polygon { coordinates } } } }
  zoneIntersections(filter: { time: $time }, first: 5) { edges { node { startTime endTime zone { id } track { id } } } }
}`;

/** Everything that a backup brings back, as callers see it. Times of creation are those of the log. */
export async function recordOf({ client, rest }: Whole, min: Readonly<Record<string, string>> = {}) {
  const record = await client.ask<Record<string, unknown>>(RECORD, {}, min);
  const { body } = await rest("GET", "/api/subscriptions");
  return { ...record, subscriptions: body };
}

/** Everything that is derived from the camera-log, as callers see it. */
export const derivedOf = ({ client }: Pick<Whole, "client">, min: Readonly<Record<string, string>> = {}) =>
  client.ask<Derived>(DERIVED, { time: { between: [at(0), at(60_000)] } }, min);

export interface Derived {
  readonly detections: { readonly totalCount: number };
  readonly zoneIntersections: { readonly edges: readonly { readonly node: { readonly endTime: string | null } }[] };
}
