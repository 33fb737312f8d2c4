import { expect } from "vitest";
import type { System } from "../support/running/launch-system.ts";

const CREATE = "mutation ($name: String!) { createDataSource(dataSource: { name: $name, type: FOLDER }) { id } }";

/** All of ten mutations, whether they waited in vain or the API refuses them because others wait. */
export async function expectUnavailable({ client }: System): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => client.send(CREATE, { name: `refused ${i}` })),
  );
  for (const { errors } of answers) {
    expect(errors?.[0]?.extensions).toMatchObject({ code: "UNAVAILABLE", retryAfterMs: expect.any(Number) });
  }
}
