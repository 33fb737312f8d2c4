import { expect, test } from "vitest";
import { activityChronicle } from "../../../projections/chronicles/kinds.ts";
import { anyCreation } from "../../support/random/any-chronicles.ts";
import { trackCreated } from "../../support/scenes/feed-events.ts";
import { seeded } from "../history/world.ts";
import { createInstallation } from "./installation.ts";
import { follow } from "./subscription.ts";

const installation = await createInstallation();

test("the tracks of an activity are there although the history has none of them", async () => {
  const api = await installation.startApi();
  await api.routing.created(trackCreated("fresh", { tag: "truck" }), 0);
  const query = "subscription { activityChronicles { id tracks { id tag } } }";
  const subscription = await follow<{ activityChronicles: object }>({ ...api, query });
  const creation = anyCreation(seeded(1), activityChronicle, "unloading");
  if (creation.type !== "ActivityChronicleChanged") throw new Error("no activity");
  const set = { ...creation.event.set, trackIds: ["fresh"] };

  await installation.recordChronicles({ ...creation, event: { ...creation.event, set } });

  const [reported] = await subscription.atLeast(1);
  expect(reported?.data.activityChronicles).toEqual({ id: "unloading", tracks: [{ id: "fresh", tag: "truck" }] });
});
