// The tables of docs/capacity.md. A unit test compares the page with them.
import { DEFAULTS, type Installation, type MeasuredCosts, type Plan, planFor, roles, stores } from "./plan.ts";

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en-US").replaceAll(",", " ") : String(Number(value.toPrecision(2)));

const total = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Measured costs of a process, and of a detection. */
export function costTable({ cpu, kafkaBytesPerDetection, ...measured }: MeasuredCosts): string {
  const rows = [
    ...[...roles, ...stores].map((name) => [
      `CPU of ${name}`,
      `${number(cpu[name].secondsPerMillion)} s per million, and ${number(cpu[name].baseCores)} cores for each process`,
    ]),
    ...Object.entries(kafkaBytesPerDetection).map(([topic, bytes]) => [
      `Kafka, topic ${topic}`,
      `${number(bytes)} bytes`,
    ]),
    ["Kafka, all topics, one copy", `${number(total(kafkaBytesPerDetection))} bytes`],
    ...Object.entries(measured.clickhouseBytesPerDetection).map(([name, bytes]) => [
      `ClickHouse, table ${name}`,
      `${number(bytes)} bytes`,
    ]),
    ["ClickHouse, all tables", `${number(total(measured.clickhouseBytesPerDetection))} bytes`],
    ["Redis, a remembered track", `${number(measured.redisBytes.track)} bytes`],
    ["Redis, a zone", `${number(measured.redisBytes.zone)} bytes`],
  ];
  return table(["cost", "of a detection, with all that follows from it"], rows);
}

export function planTable(installations: readonly Installation[], measured: MeasuredCosts): string {
  const plans = installations.map((installation) => planFor(installation, measured));
  const row = (name: string, of: (plan: Plan) => number) => [name, ...plans.map((plan) => number(of(plan)))];
  return table(
    ["", ...installations.map(({ cameras }) => `${number(cameras)} cameras`)],
    [
      row("detections/s", ({ detectionsPerSecond }) => detectionsPerSecond),
      row("partitions", ({ partitions }) => partitions),
      ...roles.map((role) => row(`processes: ${role}`, ({ processes }) => processes[role])),
      row("busy cores: all roles", ({ cores }) => cores.roles),
      ...stores.map((store) => row(`busy cores: ${store}`, ({ cores }) => cores[store])),
      row("machines", ({ machines }) => machines),
      row("memory of all roles, MiB", ({ rolesMib }) => rolesMib),
      row("memory of Redis, MiB", ({ redisMib }) => redisMib),
      row("disk of Kafka, GiB per day", ({ kafkaGibPerDay }) => kafkaGibPerDay),
      row("disk of Kafka, GiB in all", ({ kafkaGib }) => kafkaGib),
      row("disk of ClickHouse, GiB per day", ({ clickhouseGibPerDay }) => clickhouseGibPerDay),
    ],
  );
}

const CAMERAS_OF_PAGE = [10, 1_000, 10_000];

/** Returns the page with the tables that follow from the measurements. */
export function pageWith(page: string, measured: MeasuredCosts): string {
  const plans = CAMERAS_OF_PAGE.map((cameras) => ({ ...DEFAULTS, cameras }));
  const machine = `measured on ${measured.machine}`;
  return [
    ["plan", planTable(plans, measured)],
    ["costs", `${costTable(measured)}\n\nThese figures were ${machine}.`],
  ].reduce((text, [name = "", table = ""]) => {
    const marked = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`);
    return text.replace(marked, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`);
  }, page);
}
