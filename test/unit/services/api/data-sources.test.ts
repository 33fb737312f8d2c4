import { expect, test } from "vitest";
import { createEntityApi } from "./entity-api.ts";

const CREATE = "mutation ($d: CreateDataSourceInput!) { createDataSource(dataSource: $d) { id name type labels } }";
const UPDATE = "mutation ($d: UpdateDataSourceInput!) { updateDataSource(dataSource: $d) { name type labels } }";

test("what an update leaves out stays, null clears what may be missing", async () => {
  const { data } = await createEntityApi();
  const d = { name: "Yard", type: "VIDEO_DEVICE", labels: ["outside"] };
  const { id } = (await data(CREATE, { d })).createDataSource;

  expect((await data(UPDATE, { d: { id, name: "Gate" } })).updateDataSource).toEqual({ ...d, name: "Gate" });
  expect((await data(UPDATE, { d: { id, labels: null } })).updateDataSource).toMatchObject({ labels: null });
});

test("null for what may not be missing, an empty text and an unknown id are refused at their place", async () => {
  const { data, refusal } = await createEntityApi();
  const { id } = (await data(CREATE, { d: { name: "Yard", type: "FOLDER" } })).createDataSource;
  const path = (...names: (string | number)[]) => ({ code: "BAD_USER_INPUT", path: ["dataSource", ...names] });

  expect(await refusal(UPDATE, { d: { id, name: null } })).toEqual(path("name"));
  expect(await refusal(UPDATE, { d: { id, labels: ["a", " "] } })).toEqual(path("labels", 1));
  expect(await refusal(UPDATE, { d: { id: "x", name: "a" } })).toMatchObject({ code: "NOT_FOUND" });
});
