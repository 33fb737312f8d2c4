// Changes of webhook subscriptions while the log is away: refused in time, and what was said yes to is kept.
import { expect } from "vitest";
import { freePort } from "../../services/embedded/tools/free-port.ts";
import { askAt } from "../support/clients/rest-client.ts";
import type { System } from "../support/running/launch-system.ts";
import { until } from "../support/running/processes.ts";
import { subscriptionBody } from "../support/scenes/subscription-body.ts";

export interface RestSubscriptions {
  /** Every kind of change, at the same time. */
  expectRefused(): Promise<void>;
  /** All that was refused is repeated, and then stands, once. */
  expectKept(): Promise<void>;
}

const path = (id: string) => `/api/subscriptions/${id}`;

/** One instance of the REST interface, with subscriptions of before the outage. */
export async function startRestSubscriptions(system: System): Promise<RestSubscriptions> {
  const port = await freePort();
  await system.start("state-api", { STATE_API_HOST: "127.0.0.1", STATE_API_PORT: String(port) });
  const token = { "x-token-id": system.token.id, "x-token-value": system.token.value };
  const ask = askAt(`http://127.0.0.1:${port}`, token);
  const create = (id: string, workflow_name: string) =>
    ask("POST", path(id), subscriptionBody(token, { workflow_name }));
  const changes = {
    create: () => create("new", "after"),
    replace: () => create("replaced", "after"),
    rotate: () => ask("POST", `${path("rotated")}/rotate-secret`),
    remove: () => ask("DELETE", path("removed")),
  };
  for (const id of ["untouched", "replaced", "rotated", "removed"]) {
    expect((await create(id, "before")).status).toBe(201);
  }

  return {
    async expectRefused() {
      const answers = await Promise.all(Object.values(changes).map((change) => change()));
      for (const { status, headers } of answers) {
        expect([status, Number(headers.get("retry-after"))]).toEqual([503, expect.any(Number)]);
        expect(headers.get("retry-after")).not.toBeNull();
      }
    },

    async expectKept() {
      const repeated: Record<string, number> = {};
      for (const [name, change] of Object.entries(changes)) {
        await until(async () => {
          repeated[name] = (await change()).status;
          return repeated[name] !== 503;
        });
      }
      expect([200, 201]).toContain(repeated["create"]);
      expect([204, 404]).toContain(repeated["remove"]);
      expect([repeated["replace"], repeated["rotate"]]).toEqual([200, 200]);
      expect((await changes.create()).status).toBe(200);
      const { body } = await ask("GET", "/api/subscriptions");
      const found = body.subscriptions.map((each: { id: string; workflow_name: string }) => [
        each.id,
        each.workflow_name,
      ]);
      expect(found).toEqual([
        ["new", "after"],
        ["replaced", "after"],
        ["rotated", "before"],
        ["untouched", "before"],
      ]);
    },
  };
}
