import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fastify } from "fastify";
import { sendRefusal } from "../../../services/api/http/answer.ts";
import { serveMedia } from "../../../services/api/http/media.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { mediaEnv } from "../../../services/common/media/config.ts";
import { createMedia } from "../../../services/common/media/media.ts";

/** A store with these settings, and the server of its links if it needs one. `now` may be set. */
export async function serve(env: Readonly<Record<string, string>>) {
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  const app = fastify();
  const log = createLog("test", "silent");
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply, log));
  const media = await createMedia(loadConfig(mediaEnv, env), () => app.listeningOrigin, now);
  const { store, links } = media;
  if (links !== undefined) serveMedia(app, { store, links, intake: { received: () => {} }, now });
  await media.start();
  await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    store,
    clock,
    app,
    async stop() {
      await app.close();
      media.stop();
    },
  };
}

export async function makeDir(): Promise<{ readonly dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "tracklog-media-"));
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}
