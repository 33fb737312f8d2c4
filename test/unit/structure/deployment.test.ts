// Kubernetes, docker-compose.yml, the image and the configurations agree on variables, ports, limits and names.
// `npm run check:k8s` checks the same of what kustomize builds; this test reads the sources, on machines without
// kustomize.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { STOP_DEADLINE_MS } from "../../../services/common/lifecycle.ts";
import {
  environmentOf,
  parseCompose,
  parseEnvFile,
  processContainer,
  secretKeys,
  type Workload,
  workloadsOf,
} from "../../deploy/pods.ts";
import { jobs, problemsOf, roles } from "../../deploy/processes.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, "utf8");
const resourcesIn = (folder: string): object[] =>
  globSync(`${folder}/*.yaml`, { cwd: root }).flatMap((file) =>
    parseAllDocuments(read(file), { uniqueKeys: true }).map((document) => Object(document.toJS())),
  );

const OVERLAYS = ["single", "production"];
const base = workloadsOf(resourcesIn("k8s/base"));
const overlays = new Map(OVERLAYS.map((name) => [name, workloadsOf(resourcesIn(`k8s/overlays/${name}`))]));
const ofOverlay = (name: string): readonly Workload[] => overlays.get(name) ?? [];
const processes = { ...roles, ...jobs };
/** Patches of every pod or of several. */
const SHARED_PATCHES = ["every-pod", "every-role", "kafka-ca"];

function workloadOf(name: string): Workload {
  const found = base.find(({ metadata }) => metadata.name === name);
  if (found === undefined) throw new Error(`k8s/base has no ${name}`);
  return found;
}

/** The container of a process in an overlay, in parts: that of the base and those of its patches. */
function partsOf(name: string, overlay: string) {
  const patches = [...base, ...ofOverlay(overlay)];
  const own = patches.filter(({ kind, metadata }) => kind !== "StatefulSet" && metadata.name === name);
  const shared = patches.filter(({ metadata }) => SHARED_PATCHES.includes(metadata.name) && name !== "migrate");
  return [...own, ...shared].map(processContainer);
}

const sharedSettings = (overlay: string) => ({
  ...parseEnvFile(read("k8s/base/config.env")),
  ...parseEnvFile(read(`k8s/overlays/${overlay}/config.env`)),
});

const scripts = globSync("services/*/main.ts", { cwd: root }).filter((path) => !path.includes("embedded"));

test("every service of the repository is deployed, by its script", () => {
  expect(
    Object.values(roles)
      .map(({ script }) => script)
      .toSorted(),
  ).toEqual(scripts.toSorted());
  for (const [name, { script }] of Object.entries(processes)) {
    expect(processContainer(workloadOf(name)).args).toEqual([script]);
  }
});

const cases = OVERLAYS.flatMap((overlay) => Object.entries(processes).map(([name, each]) => ({ overlay, name, each })));

test.each(cases)("$overlay: $name gets the variables that it needs, and none that it does not know", (given) => {
  const environment = environmentOf(sharedSettings(given.overlay), partsOf(given.name, given.overlay));

  expect(problemsOf(given.each, environment)).toEqual([]);
});

test("the ports are those of the image and of docker-compose.yml", () => {
  const { API_PORT, STATE_API_PORT, OPS_PORT } = parseEnvFile(read("k8s/base/config.env"));
  const portsOf = (name: string) => {
    const { ports } = processContainer(workloadOf(name));
    return Object.fromEntries(ports.map((port) => [port.name, String(port.containerPort)]));
  };
  const dockerfile = read("Dockerfile");

  for (const name of Object.keys(roles)) expect([name, portsOf(name)["ops"]]).toEqual([name, OPS_PORT]);
  expect([portsOf("api")["http"], portsOf("state-api")["http"]]).toEqual([API_PORT, STATE_API_PORT]);
  expect(/OPS_PORT=(\d+)/.exec(dockerfile)?.[1]).toBe(OPS_PORT);
  expect(/^EXPOSE (.*)$/m.exec(dockerfile)?.[1]).toBe([API_PORT, STATE_API_PORT, OPS_PORT].join(" "));
  for (const port of [API_PORT, STATE_API_PORT])
    expect(read("docker-compose.yml")).toContain(`127.0.0.1:${port}:${port}`);
});

test("a process has the same memory in a pod as in docker-compose.yml", () => {
  const services = z
    .object({ services: z.record(z.string(), z.looseObject({ mem_limit: z.string() })) })
    .parse(parseCompose(read("docker-compose.yml"))).services;

  for (const name of Object.keys(processes)) {
    const limit = processContainer(workloadOf(name)).resources?.limits["memory"];
    expect([name, limit]).toEqual([name, services[name]?.mem_limit.replace("g", "Gi").replace("m", "Mi")]);
  }
});

test("a pod has longer to stop than its process takes", () => {
  const seconds = workloadOf("every-role").spec.template.spec.terminationGracePeriodSeconds ?? 0;

  expect(seconds * 1_000).toBeGreaterThan(STOP_DEADLINE_MS + 1_000);
});

test("every role has a disruption budget", () => {
  const budgets = [...read("k8s/base/disruption-budgets.yaml").matchAll(/^ {2}name: (\S+)$/gm)].map(([, name]) => name);

  expect(budgets.toSorted()).toEqual(Object.keys(roles).toSorted());
});

test("the stores of a single cluster are the images of docker-compose.yml", () => {
  const stores = ofOverlay("single").filter(({ kind }) => kind === "StatefulSet");

  expect(stores.map(({ metadata }) => metadata.name).toSorted()).toEqual(["clickhouse", "kafka", "redis", "registry"]);
  for (const store of stores) {
    expect(read("docker-compose.yml")).toContain(`image: ${processContainer(store).image}\n`);
  }
});

test.each(OVERLAYS)("%s: docs/deploying.md makes the Secret with every key that is read, and no other", (overlay) => {
  const containers = Object.keys(processes).flatMap((name) => partsOf(name, overlay));
  const stores = ofOverlay(overlay).map(processContainer);
  const keys = [...new Set(secretKeys([...containers, ...stores]))].filter((key) => key.startsWith("tracklog/"));
  const [, section = ""] =
    new RegExp(`<!-- secret: ${overlay} -->([\\s\\S]*?)<!--`).exec(read("docs/deploying.md")) ?? [];
  const made = [...section.matchAll(/--from-literal=([A-Z_]+)=/g)].map(([, key]) => `tracklog/${key}`);

  // A key that was replaced is there later, if ever.
  expect(made.toSorted()).toEqual(keys.filter((key) => key !== "tracklog/SECRETS_OLD_KEYS").toSorted());
});

test("with users per role, each role has logins of its own, of users to whom docs/security.md gives rights", () => {
  const security = read("docs/security.md");
  const patches = workloadsOf(resourcesIn("k8s/components/store-users"));
  const keysOf = (workloads: readonly Workload[], name: string) =>
    secretKeys(workloads.filter(({ metadata }) => metadata.name === name).map(processContainer));

  for (const name of Object.keys(processes)) {
    const shared = keysOf(base, name).filter((key) => /REDIS|CLICKHOUSE/.test(key));
    expect(keysOf(patches, name).toSorted()).toEqual(
      shared.map((key) => key.replace("tracklog/", `tracklog-${name}-stores/`)).toSorted(),
    );
    if (shared.includes("tracklog/REDIS_URL")) expect(security).toContain(`user tracklog-${name} on`);
  }
  const users = patches.flatMap((each) => processContainer(each).env.filter(({ name }) => name === "CLICKHOUSE_USER"));
  expect(users.length).toBe(5);
  for (const { value } of users) expect(security).toMatch(new RegExp(`^ {4}GRANT .+ TO .*\\b${value}\\b`, "m"));
});

test("the image brings the Node of the development machines", () => {
  const { dependencies } = JSON.parse(read("package.json"));

  for (const [, version] of read("Dockerfile").matchAll(/^FROM node:([\d.]+)-/gm))
    expect(version).toBe(dependencies.node);
});
