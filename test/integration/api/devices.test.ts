// The subscription `devices`, over what one API instance writes and another one serves.
import { afterAll, expect, test, vi } from "vitest";
import { follow } from "../feed/subscription.ts";
import { createClient, createInstallation, WAIT } from "./services.ts";

interface Devices {
  readonly devices: { readonly state: string; readonly message: { readonly id: string; readonly name: string } };
}

const installation = await createInstallation();
afterAll(() => installation.stop());

const startTwo = async () => {
  const urls = await Promise.all([installation.startApi(), installation.startApi()]);
  const headers = await installation.createToken("read,write");
  return { urls, headers };
};

interface Refusal {
  readonly extensions: { readonly code: string };
}

const CREATE = "mutation ($device: CreateDeviceInput!) { createDevice(device: $device) { id } }";
const UPDATE = "mutation ($device: UpdateDeviceInput!) { updateDevice(device: $device) { id } }";
const SUBSCRIBE = `subscription ($filter: FilterDeviceMessageInput) {
  devices(filter: $filter) { state message { id name enabled dataSource { id } } }
}`;

test("subscribers hear of devices that are created and changed, as their filters ask", async () => {
  const { urls, headers } = await startTwo();
  const [writing = "", url = ""] = urls;
  const token = { id: headers["x-token-id"] ?? "", value: headers["x-token-value"] ?? "" };
  const ask = createClient(writing, headers);
  const subscribe = (filter: object | null) =>
    follow<Devices>({ url: `${url}/graphql`, token, query: SUBSCRIBE, variables: { filter } });
  const [all, updates] = [await subscribe(null), await subscribe({ state: { eq: "UPDATE" }, name: { like: "gate" } })];

  const { body } = await ask(CREATE, { device: { name: "North gate", enabled: true } });
  const id: string = body.data.createDevice.id;
  await ask(CREATE, { device: { id, name: "North gate", enabled: true } });
  await ask(UPDATE, { device: { id, name: "Gate", enabled: false } });
  await ask(UPDATE, { device: { id, name: "Door" } });
  await ask("mutation ($id: ID!) { deleteDevice(id: $id) { id } }", { id });
  await ask(CREATE, { device: { name: "Last", enabled: false } });

  expect((await all.atLeast(4)).map(({ data: { devices } }) => [devices.state, devices.message.name])).toEqual([
    ["CREATE", "North gate"],
    ["UPDATE", "Gate"],
    ["UPDATE", "Door"],
    ["CREATE", "Last"],
  ]);
  const [first] = all.received();
  const cursor = first?.extensions.cursor;
  const again = await follow<Devices>({ url: `${url}/graphql`, token, query: SUBSCRIBE, variables: {}, cursor });
  expect((await again.atLeast(3)).map(({ data }) => data)).toEqual(
    all
      .received()
      .slice(1)
      .map(({ data }) => data),
  );
  expect((await updates.atLeast(1)).map(({ data }) => data.devices)).toEqual([
    { state: "UPDATE", message: { id, name: "Gate", enabled: false, dataSource: { id: expect.any(String) } } },
  ]);
});

test("of two instances that give a data source a device at the same time, one is refused", async () => {
  const { urls, headers } = await startTwo();
  const clients = urls.map((url) => createClient(url, headers));
  const [first] = clients;
  for (let round = 0; round < 10; round++) {
    const id = `yard ${round}`;
    await first?.(`mutation { createDataSource(dataSource: { id: "${id}", name: "Yard", type: FOLDER }) { id } }`);
    const sources = `{ dataSource(id: "${id}") { device { id } } }`;
    await vi.waitFor(async () => {
      for (const ask of clients) expect((await ask(sources)).body.data.dataSource).toEqual({ device: null });
    }, WAIT);
    const answers = await Promise.all(
      clients.map((ask, i) =>
        ask(CREATE, { device: { id: `${id}/${i}`, name: "D", enabled: true, dataSourceId: id } }),
      ),
    );

    const made = answers.flatMap(({ body }) => body.data?.createDevice ?? []);
    expect(made).toHaveLength(1);
    const refused = answers.flatMap(({ body }) => body.errors?.map((error: Refusal) => error.extensions.code) ?? []);
    expect(["CONFLICT", "BAD_USER_INPUT"]).toContain(refused[0]);
    for (const ask of clients) expect((await ask(sources)).body.data.dataSource).toEqual({ device: made[0] });
  }
});
