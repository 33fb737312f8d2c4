// .env.example, the configurations and docker-compose.yml agree.
import { expect, test } from "vitest";
import { loadConfig } from "../../../services/common/config.ts";
import { configuredProcesses } from "../../docs/configurations.ts";
import { readText } from "../../structure/repository.ts";

/** The launcher comes first: where two services differ in a default, the other one's is shown. */
const configs = configuredProcesses
  .toSorted((one, other) => Number(other.name === "launcher") - Number(one.name === "launcher"))
  .map(({ config }) => config);

const lines = [...readText(".env.example").matchAll(/^(#?)([A-Z][A-Z_]*)=(.*)$/gm)].map(
  ([, mark, name = "", value = ""]) => ({
    name,
    value,
    isSet: mark === "",
  }),
);
const set = Object.fromEntries(lines.filter(({ isSet }) => isSet).map(({ name, value }) => [name, value]));

test("every variable of every configuration is in .env.example once, and nothing else", () => {
  const names = new Set(configs.flatMap(({ shape }) => Object.keys(shape)));

  expect(lines.map(({ name }) => name).sort()).toEqual([...names].sort());
});

test("the values shown are the defaults", () => {
  const defaults = Object.fromEntries(
    configs.flatMap(({ shape }) =>
      Object.entries(shape).map(([name, schema]) => [name, schema.safeParse(undefined).data]),
    ),
  );
  const shown = lines.filter(({ isSet }) => !isSet);

  expect(shown.map(({ name, value }) => [name, value])).toEqual(
    shown.map(({ name }) => [name, String(defaults[name])]),
  );
});

test("what is set is enough for every configuration, and leads to the ports and the user of docker-compose.yml", () => {
  const compose = readText("docker-compose.yml");

  for (const config of configs) expect(() => loadConfig(config, set)).not.toThrow();
  const stores = Object.values(set).flatMap((value) => /127\.0\.0\.1:(\d+)/.exec(value)?.slice(1) ?? []);
  const own = lines.flatMap(({ name, value }) => (/^(STATE_)?API_PORT$/.test(name) ? [value] : []));
  expect([...compose.matchAll(/"127\.0\.0\.1:(\d+):\d+"/g)].map(([, port]) => port).sort()).toEqual(
    [...stores, ...own].sort(),
  );
  expect(compose).toContain(`CLICKHOUSE_USER: ${set["CLICKHOUSE_USER"]}`);
  expect(compose).toContain(`CLICKHOUSE_PASSWORD: ${set["CLICKHOUSE_PASSWORD"]}`);
});
