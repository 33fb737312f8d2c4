import { askAt } from "../../support/clients/rest-client.ts";
import type { Installation } from "./installation.ts";

export interface Size {
  readonly cameras: number;
  readonly zones: number;
  readonly subscriptions: number;
}

const AT_ONCE = 50;
/** Nothing listens there, and nothing is sent. */
const RECEIVER = "http://127.0.0.1:9990/";

/** Creates cameras that never send anything, with zones, and subscriptions to them. */
export async function fill({ client, restUrl, token }: Installation, size: Size): Promise<void> {
  const cameras = await several(size.cameras, async (n) => {
    const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
      `mutation { createDataSource(dataSource: { name: "silent ${n}", type: VIDEO_DEVICE }) { id } }`,
    );
    return createDataSource.id;
  });
  await several(size.zones, (n) => {
    const [x, y] = [(n % 5) * 384 + 100, (Math.floor(n / 5) % 4) * 270 + 80];
    const ring = [[x, y], [x + 160, y], [x + 160, y + 100], [x, y + 100], [x, y]]; // biome-ignore format: one ring
    const polygon = { type: "Polygon", coordinates: [ring] };
    const zone = { dataSourceId: cameras[n % cameras.length], name: `zone ${n}`, polygon };
    return client.ask("mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }", { zone });
  });
  const ask = askAt(restUrl, { "x-token-id": token.id, "x-token-value": token.value });
  await several(size.subscriptions, async (n) => {
    const body = {
      ...{ webhook_url: RECEIVER, workflow_name: "rest", mode: "streaming", signal_type: "track_state" },
      filters: { datasource_ids: [cameras[n % cameras.length]] },
      credentials: { x_token_id: token.id, x_token_value: token.value },
    };
    const { status, body: answer } = await ask("POST", `/api/subscriptions/rest-${n}`, body);
    if (status !== 201) throw new Error(JSON.stringify(answer));
  });
}

/** Makes `count` of them, some at a time. */
async function several<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  let next = 0;
  const work = async () => {
    for (let n = next++; n < count; n = next++) made[n] = await make(n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return made;
}
