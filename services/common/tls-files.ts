// Certificates of connections to stores. They are in files, which an operator replaces while the process runs.
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { z } from "zod";

/** Paths; an empty one means none. */
export interface TlsFiles {
  /** Certificate authorities that are trusted instead of the public ones. */
  readonly ca: string;
  /** Certificate of this client, and its key. */
  readonly cert: string;
  readonly key: string;
}

/** A variable with the path of a file that the process can read at its start. */
export const readableFile = z
  .string()
  .superRefine((path, context) => {
    try {
      readFileSync(path);
    } catch (error) {
      // The code alone: the message has the value, which may be a key that was put in the place of its path.
      const code = error instanceof Error && "code" in error ? error.code : "no file";
      context.addIssue({ code: "custom", message: `wants a file that this process can read (${code})` });
    }
  })
  .default("")
  .describe("the path of a PEM file");

/**
 * Returns options of node:tls whose members are read from the files each time that they are copied, which the clients
 * of Kafka and Redis do for each connection. Only the members with a path are there.
 */
export function tlsFromFiles(files: TlsFiles): Partial<TlsFiles> {
  const members = (["ca", "cert", "key"] as const).filter((member) => files[member] !== "");
  return Object.defineProperties({}, Object.fromEntries(members.map((member) => [member, rereadFrom(files[member])])));
}

/** A file may be missing for a moment while it is replaced: then its last content serves. */
function rereadFrom(path: string): PropertyDescriptor {
  let content = readFileSync(path, "utf8");
  const get = () => {
    try {
      content = readFileSync(path, "utf8");
    } catch {
      // The content from before stays.
    }
    return content;
  };
  return { enumerable: true, get };
}

/** @returns undefined when no file is given: then the client's own defaults are right. */
export function agentWithFiles(files: TlsFiles, maxSockets: number): Agent | undefined {
  const tls = tlsFromFiles(files);
  return Object.keys(tls).length === 0 ? undefined : new RereadingAgent(tls, maxSockets);
}

/** Reads the files for each connection. */
class RereadingAgent extends Agent {
  readonly #tls: Partial<TlsFiles>;

  constructor(tls: Partial<TlsFiles>, maxSockets: number) {
    // A resumed session would go on with the certificates of the connection before.
    super({ keepAlive: true, maxSockets, maxCachedSessions: 0 });
    this.#tls = tls;
  }

  override createConnection(...[options, callback]: Parameters<Agent["createConnection"]>) {
    return super.createConnection({ ...options, ...this.#tls }, callback);
  }
}
