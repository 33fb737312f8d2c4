// Gives a store without TLS an encrypted address: the bytes behind it are those of the real store.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { createServer } from "node:tls";
import { onTestFinished } from "vitest";
import type { Authority } from "../../support/running/certificates.ts";

/** Resolves with the URL of the proxy, which asks its clients for a certificate of the authority. */
export async function encrypt(url: string, authority: Authority, asksForCertificate: boolean): Promise<string> {
  const { certFile, keyFile } = await authority.issue("proxy");
  const target = new URL(url);
  const options = {
    cert: await readFile(certFile),
    key: await readFile(keyFile),
    ca: await readFile(authority.caFile),
    requestCert: asksForCertificate,
    rejectUnauthorized: asksForCertificate,
  };
  const server = createServer(options, (socket) => {
    const behind = connect({ host: target.hostname, port: Number(target.port) });
    socket.on("error", () => behind.destroy()).pipe(behind);
    behind.on("error", () => socket.destroy()).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  target.protocol = "https:";
  const { port } = server.address() as AddressInfo;
  return url.replace(/^http:/, "https:").replace(`${target.hostname}:${target.port}`, `localhost:${port}`);
}
