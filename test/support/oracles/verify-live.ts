// Live states of a recording at every hundredth detection, in a system of their own: the wall clock must end no track.

import { openInspector } from "../clients/final-state-inspector.ts";
import { askAt } from "../clients/rest-client.ts";
import { launchSystem } from "../running/launch-system.ts";
import { startStateApi } from "../running/state-api.ts";
import { createStage } from "../scenes/play-scene.ts";
import { type Recorded, readCamera } from "../scenes/recorded-camera.ts";
import { compareLive } from "./compare-live.ts";

/** Resolves with the number of compared states; rejects with the first difference. */
export async function verifyLive(
  stores: Readonly<Record<string, string>>,
  namespace: string,
  recorded: Recorded,
  from: string,
): Promise<number> {
  const camera = await readCamera(recorded, from);
  const { system, stop } = await launchSystem(stores, namespace, { TRACK_TTL: "86400" });
  const inspector = await openInspector(system);
  try {
    const { id, value } = system.token;
    const ask = askAt(await startStateApi(system), { "x-token-id": id, "x-token-value": value });
    const get = async (path: string) => {
      const { status, body } = await ask("GET", path);
      if (status !== 200) throw new Error(`${path} answers ${status} ${JSON.stringify(body)}`);
      return body;
    };
    const [stage] = await createStage(system.client, { cameras: [camera] });
    if (stage === undefined) throw new Error("no stage");
    const { dataSourceId, zoneIds } = stage;
    const zones = camera.zones.map(({ name, rings }) => ({ zoneId: zoneIds.get(name) ?? name, name, rings }));
    return await compareLive(system, inspector, get, { dataSourceId, zones, deliveries: camera.deliveries });
  } finally {
    await inspector.close();
    await stop();
  }
}
