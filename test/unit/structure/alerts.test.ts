// Every alert has a section in the runbook, and asks only for metrics that exist.
import { expect, test } from "vitest";
import { readText } from "../../structure/repository.ts";

const rules = readText("k8s/monitoring/prometheus-rule.yaml");
/** Metrics of Node that prom-client gives by itself. */
const OF_NODE = /^(process|nodejs)_/;

const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);

test("each alert has a test that makes it fire", () => {
  const fired = [...readText("k8s/monitoring/alerts.test.yaml").matchAll(/- alertname: (\w+)/g)].map(
    ([, name]) => name,
  );

  expect(fired.toSorted()).toEqual(alerts.toSorted());
});

test("the runbook has a section for each alert, and none for another", () => {
  const sections = [...readText("docs/runbook.md").matchAll(/^### (\w+)$/gm)].map(([, name]) => name);

  expect(alerts.length).toBeGreaterThan(10);
  expect(sections).toEqual(alerts);
});

test("alerts, the dashboard and the runbook name metrics that exist", () => {
  const defined = new Map(
    [...readText("docs/metrics.md").matchAll(/^\| `(\w+)` \| (\w+) /gm)].map(([, name, type]) => [name, type]),
  );
  const pages = [rules, readText("docs/runbook.md"), readText("k8s/monitoring/dashboard.json")];
  const named = pages.flatMap((page) => [...page.matchAll(/\b(tracklog|process|nodejs)_\w+/g)].map(([name]) => name));
  const unknown = named.filter((name) => {
    const ofHistogram = name.replace(/_(bucket|sum|count)$/, "");
    return !OF_NODE.test(name) && !defined.has(name) && defined.get(ofHistogram) !== "histogram";
  });

  expect(named.length).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});
