// Callers of the REST interface: the states of zones and tracks, the list of subscriptions, and events. Of two callers
// that ask for the event of a scope at the same time, at two instances, one is told to create it.
import type { StageCamera } from "../../support/scenes/play-scene.ts";
import type { RestCaller } from "../callers.ts";
import { repeat, type Traffic } from "./traffic.ts";

const READ_PAUSE_MS = 200;
const EVENT_PAUSE_MS = 500;

type Complain = (text: string) => void;

export function readLiveState(rest: RestCaller, stage: readonly StageCamera[], complain: Complain): Traffic {
  const zoneIds = stage.flatMap((camera) => [...camera.zoneIds.values()]);
  const trackIds = stage.flatMap(({ camera }) => camera.tracks.map(({ trackId }) => trackId));
  let read = 0;
  const expect = async (path: string, statuses: readonly number[]) => {
    const { status, body } = await rest.ask("GET", path);
    if (!statuses.includes(status)) complain(`GET ${path} was answered with ${status} ${JSON.stringify(body)}`);
    read++;
  };
  const { stop } = repeat(
    async (n) => {
      await expect(`/api/zones/${zoneIds[n % zoneIds.length]}`, [200]);
      // A track may not have begun yet.
      await expect(`/api/tracks/${trackIds[n % trackIds.length]}`, [200, 404]);
      await expect("/api/subscriptions", [200]);
    },
    READ_PAUSE_MS,
    complain,
  );
  return {
    name: "live state",
    stop,
    differences: async () => [],
    close: async () => undefined,
    counts: () => ({ read }),
  };
}

const WORKFLOW = { workflow_id: "upgrade" };
const CHECK = {
  ...{ ...WORKFLOW, workflow_name: "Upgrade", scope_type: "zone" },
  ...{ conditions_met: true, cooldown_hours: 1 },
};

export function decideEvents(rest: RestCaller, complain: Complain): Traffic {
  const created: string[] = [];
  const { stop } = repeat(
    async (n) => {
      const path = `/api/events/upgrade-${n}`;
      const answers = await Promise.all([0, 1].map((first) => rest.ask("POST", path, CHECK, first)));
      const creators = answers.filter(({ body }) => body.action === "create_event").length;
      if (creators !== 1) complain(`${path}: ${creators} callers were told to create the event`);
      const { status, body } = await rest.ask("PATCH", path, { ...WORKFLOW, global_event_id: path });
      if (status !== 200) complain(`PATCH ${path} was answered with ${status} ${JSON.stringify(body)}`);
      created.push(path);
    },
    EVENT_PAUSE_MS,
    complain,
  );
  return {
    name: "events",
    stop,
    async differences() {
      const found: string[] = [];
      for (const path of created) {
        const { body } = await rest.ask("GET", `${path}?workflow_id=${WORKFLOW.workflow_id}`);
        if (body?.state !== "active" || body.global_event_id !== path) found.push(`${path}: ${JSON.stringify(body)}`);
      }
      return found;
    },
    close: async () => undefined,
    counts: () => ({ events: created.length }),
  };
}
