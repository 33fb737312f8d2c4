// docker-compose.yml is one of the Compose specification, and agrees with the configurations and the image.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { z } from "zod";
import { STOP_DEADLINE_MS } from "../../../services/common/lifecycle.ts";
import { parseCompose } from "../../deploy/pods.ts";
import { jobs, problemsOf, roles } from "../../deploy/processes.ts";
import { readText } from "../../structure/repository.ts";

const text = readText("docker-compose.yml");
const compose = parseCompose(text);
const isOfSpecification = new Ajv2020({ strict: false, validateFormats: false }).compile(
  JSON.parse(readText("test/deploy/schemas/compose-spec.json")),
);

const scalar = z.union([z.string(), z.number()]).transform(String);
const service = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), scalar).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.looseObject({}).optional(),
  mem_limit: z.string(),
  cpus: z.number(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  stop_grace_period: z.string().optional(),
});
const { services, volumes } = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(compose);
const serviceOf = (name: string) => {
  const found = services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no ${name}`);
  return found;
};

const STORES = ["kafka", "registry", "redis", "clickhouse"];

test("docker-compose.yml is one of the Compose specification, which refuses a misspelt member", () => {
  expect(isOfSpecification(compose), JSON.stringify(isOfSpecification.errors)).toBe(true);
  expect(isOfSpecification(parseCompose(text.replace("    healthcheck:", "    heathcheck:")))).toBe(false);
});

test("there are the stores, every role, and the jobs that prepare the stores", () => {
  expect(Object.keys(services).toSorted()).toEqual(
    [...STORES, ...Object.keys(roles), ...Object.keys(jobs), "secrets-key"].toSorted(),
  );
});

test("every store keeps its data in its volume, and the registry writes at once", () => {
  const mounted = STORES.map((name) => serviceOf(name).volumes.map((volume) => volume.split(":")));

  expect(mounted.map((each) => each.map(([name]) => name))).toEqual(STORES.map((name) => [name]));
  const [[[, kafka] = []] = [], [[, registry] = []] = []] = mounted;
  expect(serviceOf("kafka").environment["KAFKA_LOG_DIRS"]).toBe(kafka);
  expect(serviceOf("registry").environment["REGISTRY_DATASOURCE_URL"]).toBe(
    `jdbc:h2:file:${registry}/registry;WRITE_DELAY=0`,
  );
  const used = Object.values(services).flatMap((each) => each.volumes.map((volume) => volume.split(":")[0]));
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(volumes).toSorted());
});

test.each(Object.entries({ ...roles, ...jobs }))("%s starts its script, and its environment suffices", (name, each) => {
  const { command, environment } = serviceOf(name);

  expect(command).toEqual([each.script]);
  expect(problemsOf(each, { shared: environment, own: {} })).toEqual([]);
});

test("every process of ours has the user of the image, a root file system that cannot be written, and limits", () => {
  const user = /^USER (\S+)$/m.exec(readText("Dockerfile"))?.[1];

  for (const name of [...Object.keys(roles), ...Object.keys(jobs), "secrets-key"]) {
    expect(serviceOf(name)).toMatchObject({ image: "tracklog:local", user, read_only: true });
  }
});

test("roles begin when their stores are prepared, and have longer to stop than they take", () => {
  for (const name of Object.keys(roles)) {
    const { depends_on, stop_grace_period = "" } = serviceOf(name);
    const completed = ["topics", "migrate", "secrets-key"].map((job) => [
      job,
      { condition: "service_completed_successfully" },
    ]);
    expect(depends_on).toEqual({ ...Object.fromEntries(completed), redis: { condition: "service_healthy" } });
    expect(Number.parseInt(stop_grace_period, 10) * 1_000).toBeGreaterThan(STOP_DEADLINE_MS + 1_000);
  }
});

test("jobs begin when the stores that they prepare answer", () => {
  const healthy = { condition: "service_healthy" };

  for (const name of STORES) expect([name, serviceOf(name).healthcheck]).not.toEqual([name, undefined]);
  expect(serviceOf("topics").depends_on).toEqual({ kafka: healthy, registry: healthy });
  expect(serviceOf("migrate").depends_on).toEqual({ clickhouse: healthy });
});

test("the key that seals secrets is read where it is made", () => {
  const file = serviceOf("secrets-key").environment["SECRETS_KEY_FILE"] ?? "";

  for (const name of ["state-api", "webhooks", "replay"]) {
    const { environment, volumes } = serviceOf(name);
    expect(environment["SECRETS_KEY_FILE"]).toBe(file);
    expect(volumes).toEqual([`secrets:${file.slice(0, file.lastIndexOf("/"))}:ro`]);
  }
});
