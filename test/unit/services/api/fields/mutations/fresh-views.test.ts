import { expect, test } from "vitest";
import { notFound } from "../../../../../../schemas/errors.ts";
import { byFreshViews } from "../../../../../../services/api/fields/mutations/fresh-views.ts";
import type { ApiContext } from "../../../../../../services/api/graphql/context.ts";

const asked = { minPosition: [{ topic: "catalog", partition: 0, offset: 5 }], positions: [] };

test.each(["createDetection", "createDetections", "updateTrack"])(
  "%s of a caller who has seen a position begins when the catalog has come there",
  async (name) => {
    const steps: string[] = [];
    const catalogReached = async () => {
      await Promise.resolve();
      steps.push("reached");
    };
    const resolve = byFreshViews(
      name,
      () => steps.push("resolved"),
      async () => undefined,
    );

    await resolve(undefined, {} as never, { ...asked, catalogReached } as unknown as ApiContext);

    expect(steps).toEqual(["reached", "resolved"]);
  },
);

test("a track that is missing is not looked for again when the views are complete, because no view has tracks", async () => {
  let times = 0;
  const resolve = byFreshViews(
    "updateTrack",
    () => {
      times++;
      throw notFound("track", "t");
    },
    async () => undefined,
  );

  const context = { ...asked, minPosition: [] } as unknown as ApiContext;
  await expect(resolve(undefined, {} as never, context)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(times).toBe(1);
});
