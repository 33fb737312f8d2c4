// The programs of docs/receivers.md, run as they are written there, against the code that sends deliveries.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOutbound } from "../../../services/common/outbound/client.ts";
import { createGuard } from "../../../services/common/outbound/guard.ts";
import { postSigned } from "../../../services/common/outbound/post-signed.ts";
import { signedHeaders } from "../../../services/common/outbound/signature.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { findJava } from "../../../services/embedded/tools/java.ts";
import { until } from "../../support/running/processes.ts";

const PAGE = fileURLToPath(new URL("../../../docs/receivers.md", import.meta.url));
const { PATH = "", JAVA_HOME = "" } = process.env;
const basics = { PATH, ...(JAVA_HOME === "" ? {} : { JAVA_HOME }), LC_ALL: "C.UTF-8" };

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = newSecret();
const body = JSON.stringify([{ signal: "track_created", track_state: { tag: "Fußgänger" } }]);

const outbound = createOutbound({
  guard: createGuard({ ALLOWED_URL_DOMAINS: [], ALLOWED_URL_CIDRS: ["127.0.0.1"] }, "public"),
  allowSelfSigned: false,
});
const folder = await mkdtemp(join(tmpdir(), "tracklog-receivers-"));
afterAll(async () => {
  outbound.close();
  await rm(folder, { recursive: true, force: true });
});

const languages = {
  ts: { file: "receiver.ts", command: () => process.execPath },
  python: { file: "receiver.py", command: () => "python3" },
  java: {
    file: "Receiver.java",
    command: async () => (await findJava(basics, new AbortController().signal)).file,
  },
} as const;

async function start(language: keyof typeof languages) {
  const { file, command } = languages[language];
  const page = await readFile(PAGE, "utf8");
  const [, code] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/receivers.md has no ${language}`);
  const program = join(folder, file);
  await writeFile(program, code);
  const port = await freePort();
  const env = { ...basics, WEBHOOK_SECRET: secret, PORT: String(port) };
  const child: ChildProcess = spawn(await command(), [program], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  child.on("error", (error) => (output += error.message));
  const url = `http://127.0.0.1:${port}/hook`;
  await until(async () => {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`the receiver has ended: ${output}`);
    return fetch(url, { method: "POST", body: "{}" }).then(
      () => true,
      () => false,
    );
  });
  return { child, url, output: () => output };
}

describe.each(Object.keys(languages) as (keyof typeof languages)[])("the receiver in %s", (language) => {
  let receiver: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    receiver = await start(language);
  });
  afterAll(async () => {
    receiver.child.kill("SIGKILL");
    if (receiver.child.exitCode === null && receiver.child.signalCode === null) await once(receiver.child, "exit");
  });

  const deliver = async (id: string, secrets: readonly string[]) => {
    const post = { url: receiver.url, id, body, secrets, userAgent: "tracklog", timeoutMs: 30_000 };
    return (await postSigned(outbound, { ...post, signal: new AbortController().signal })).status;
  };
  const post = async (headers: Readonly<Record<string, string>>, text = body) =>
    (await fetch(receiver.url, { method: "POST", headers, body: text })).status;
  const printed = (id: string) =>
    receiver
      .output()
      .split("\n")
      .filter((line) => line.startsWith(id));

  test("accepts a delivery of ours, and prints a repeated one once", async () => {
    expect([await deliver("one", [secret]), await deliver("one", [secret])]).toEqual([204, 204]);
    expect(await deliver("two", [secret])).toBe(204);

    await until(() => printed("two").length === 1);
    expect(printed("one")).toEqual([`one ${body}`]);
  });

  test("accepts a delivery that is signed with a new secret as well", async () => {
    expect(await deliver("rotated", [newSecret(), secret])).toBe(204);
  });

  test.each<[string, () => Promise<number>]>([
    ["another secret", () => deliver("forged", [newSecret()])],
    ["another body", () => post(signedHeaders("forged", Date.now(), body, [secret]), `${body} `)],
    ["another id", () => post({ ...signedHeaders("other", Date.now(), body, [secret]), "webhook-id": "forged" })],
    ["an old timestamp", () => post(signedHeaders("forged", Date.now() - 310_000, body, [secret]))],
    ["a timestamp in the future", () => post(signedHeaders("forged", Date.now() + 310_000, body, [secret]))],
    ["no timestamp", () => post({ "webhook-id": "forged", "webhook-signature": "v1,AAAA" })],
    [
      "no signature",
      () => post({ "webhook-id": "forged", "webhook-timestamp": String(Math.floor(Date.now() / 1_000)) }),
    ],
    ["no headers", () => post({})],
  ])("refuses %s", async (_, send) => {
    expect(await send()).toBe(401);
    expect(printed("forged")).toEqual([]);
  });

  test("goes on after a request that ends early", async () => {
    const socket = connect(Number(new URL(receiver.url).port), "127.0.0.1");
    socket.end("POST /hook HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{").resume();
    await once(socket, "close");

    expect(await deliver("after", [secret])).toBe(204);
  });
});
