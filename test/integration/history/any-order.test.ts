import { expect, test } from "vitest";
import { tracksByIds } from "../../../projections/history/queries/tracks.ts";
import { howMany } from "../../support/random/how-many.ts";
import { createDatabase, fillInAnyOrder, mergeAll, setMerges } from "./database.ts";
import { inOrder, readEverything } from "./everything.ts";
import { createWorld, seeded, seenLastOf } from "./world.ts";

for (let seed = 1; seed <= howMany({ short: 1, full: 3 }); seed++) {
  test(`rows in any order and every row twice answer like the log in order (seed ${seed})`, async () => {
    const world = createWorld(seed);
    const database = await createDatabase();
    await setMerges(database, "STOP");
    await fillInAnyOrder(database, world, seeded(seed + 100));

    expect(inOrder(await readEverything(database.client))).toEqual(inOrder(world));

    await setMerges(database, "START");
    await mergeAll(database);
    expect(inOrder(await readEverything(database.client))).toEqual(inOrder(world));
    const meant = ["track-0-0", "track-3", "track-7"].flatMap((id) => seenLastOf(world.tracks, id) ?? []);
    const found = await tracksByIds(database.client, ["track-0-0", "track-3", "track-7", "unknown"]);
    expect(found.toSorted((a, b) => (a.trackId < b.trackId ? -1 : 1))).toEqual(meant);
  });
}
