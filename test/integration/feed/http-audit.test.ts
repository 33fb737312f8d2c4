// The audit suite of GraphQL over HTTP against a started API. docs/compatibility.md explains what it remarks on.
import { readFileSync } from "node:fs";
import { serverAudits } from "graphql-http";
import { expect, test } from "vitest";
import { createInstallation } from "./installation.ts";

const installation = await createInstallation();

const document = readFileSync(new URL("../../../docs/compatibility.md", import.meta.url), "utf8");
const [section = ""] = document.split("\n## GraphQL over HTTP\n")[1]?.split("\n## ") ?? [];
const explained = [...section.matchAll(/`([0-9A-Z]{4})`/g)].map(([, id]) => `notice ${id}`);

test("the audits find nothing but what is explained", async () => {
  const { url, token } = await installation.startApi();
  const fetchFn = (to: string, init?: RequestInit) =>
    fetch(to, { ...init, headers: { ...init?.headers, "x-token-id": token.id, "x-token-value": token.value } });

  const remarks: string[] = [];
  for (const audit of serverAudits({ url, fetchFn })) {
    const { status } = await audit.fn();
    if (status !== "ok") remarks.push(`${status} ${audit.id}`);
  }

  expect(remarks).toEqual(explained);
});
