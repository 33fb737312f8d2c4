import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agentWithFiles, tlsFromFiles } from "../../../../services/common/tls-files.ts";

const none = { ca: "", cert: "", key: "" };

async function createFile(content: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "tls-files-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, "ca.pem");
  await writeFile(file, content);
  return file;
}

test("each copy has the present content, and the last one while the file is missing", async () => {
  const file = await createFile("first");
  const tls = tlsFromFiles({ ...none, ca: file });
  const copy = () => Object.assign({}, tls);
  expect(copy()).toEqual({ ca: "first" });

  await writeFile(file, "second");
  expect(copy()).toEqual({ ca: "second" });

  await rm(file);
  expect(copy()).toEqual({ ca: "second" });
});

test("without files there are no options, and the client has its own agent", () => {
  expect(tlsFromFiles(none)).toEqual({});
  expect(agentWithFiles(none, 1)).toBeUndefined();
});
