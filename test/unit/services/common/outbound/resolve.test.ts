import { createSocket, type RemoteInfo } from "node:dgram";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../../../../services/common/config.ts";
import { outboundEnv } from "../../../../../services/common/outbound/config.ts";
import { createGuard, trusting } from "../../../../../services/common/outbound/guard.ts";
import { byNameServers, resolveFor } from "../../../../../services/common/outbound/resolve.ts";

const LOOKUP_MS = 300;
const A = 1;
const AAAA = 28;
const NAME_ERROR = 3;
const ADDRESS = { [A]: [8, 8, 4, 4], [AAAA]: [0x26, 0x06, 0x47, 0, ...Array(11).fill(0), 0x11] };

/**
 * Answers by the first label of a name. It gives "slow" no answer, knows no "unknown", and has an address of one
 * family for "four" and "six", of each for "both".
 */
async function startNameServer() {
  const asked: string[] = [];
  const server = createSocket("udp4");
  server.on("message", (question: Buffer, { port, address }: RemoteInfo) => {
    const label = question.subarray(13, 13 + (question[12] ?? 0)).toString();
    const type = question.readUInt16BE(question.indexOf(0, 12) + 1);
    asked.push(label);
    if (label === "slow") return;
    const known = (label === "four" && type === A) || (label === "six" && type === AAAA) || label === "both";
    server.send(answerTo(question, known ? ADDRESS[type === A ? A : AAAA] : [], label === "unknown"), port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { asked, resolve: byNameServers([`127.0.0.1:${server.address().port}`], LOOKUP_MS) };
}

function answerTo(question: Buffer, address: readonly number[], isUnknown: boolean): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(0x8180 | (isUnknown ? NAME_ERROR : 0), 2);
  head.writeUInt16BE(address.length > 0 ? 1 : 0, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  if (address.length === 0) return head;
  const record = Buffer.from([0xc0, 12, 0, 0, 0, 1, 0, 0, 0, 0, 0, address.length, ...address]);
  question.copy(record, 2, end - 4, end - 2);
  return Buffer.concat([head, record]);
}

test("a name has the addresses of both families, or of the one that it has", async () => {
  const { resolve } = await startNameServer();

  expect(await resolve("both.example")).toEqual([
    { address: "8.8.4.4", family: 4 },
    { address: "2606:4700::11", family: 6 },
  ]);
  expect(await resolve("four.example")).toEqual([{ address: "8.8.4.4", family: 4 }]);
  expect(await resolve("six.example")).toEqual([{ address: "2606:4700::11", family: 6 }]);
});

test("a name that is unknown, or has no address, is an error that says so", async () => {
  const { resolve } = await startNameServer();

  for (const [name, code] of [
    ["unknown.example", "ENOTFOUND"],
    ["none.example", "ENODATA"],
  ] as const) {
    await expect(resolve(name)).rejects.toMatchObject({
      reason: "unknown-name",
      message: `the name cannot be resolved (${code})`,
    });
  }
});

test("however many names are not answered, others are, and each ends by itself", async () => {
  const { asked, resolve } = await startNameServer();

  const slow = Array.from({ length: 50 }, (_, i) => resolve(`slow.number${i}.example`));
  const ended = Promise.allSettled(slow);
  const quick = await Promise.race([resolve("four.example"), ended]);

  expect(quick).toEqual([{ address: "8.8.4.4", family: 4 }]);
  expect(asked.length).toBeGreaterThan(50);
  const reasons = (await ended).map((each) => each.status === "rejected" && each.reason.reason);
  expect(new Set(reasons)).toEqual(new Set(["unknown-name"]));
});

test("only names that the installation chose are looked up as the machine does it", async () => {
  const guard = createGuard(loadConfig(outboundEnv, { ALLOWED_URL_DOMAINS: "*.ours.example,hook.ours" }), "public");
  const ofMachine = async () => [{ address: "10.0.0.1", family: 4 }];
  const ofServers = async () => [{ address: "8.8.4.4", family: 4 }];
  const isByMachine = async (host: string, by = guard) =>
    (await resolveFor(by, ofMachine, ofServers)(host))[0]?.address === "10.0.0.1";

  for (const host of ["hook.ours", "a.ours.example", "localhost"]) expect(await isByMachine(host)).toBe(true);
  for (const host of ["ours.example", "hook.ours.evil.example", "evil"]) expect(await isByMachine(host)).toBe(false);
  expect(await isByMachine("api", trusting)).toBe(true);
});
