// A receiver of signals that keeps only digests of them: the states of crowded zones are long.
import { hash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Reported {
  readonly signal: string;
  readonly dataSourceId: string;
  /** The one that caused it. */
  readonly trackId: string;
  /** A digest of the whole signal. */
  readonly digest: string;
}

export interface Tally {
  readonly url: string;
  /** In order, without repetitions. */
  readonly reported: readonly Reported[];
  close(): Promise<void>;
}

interface Body {
  readonly signal: string;
  readonly track_state?: { readonly track_id: string; readonly datasource_id: string };
  readonly zone_state?: { readonly trigger_track_id: string; readonly datasource_id: string };
}

export async function startTally(): Promise<Tally> {
  const reported: Reported[] = [];
  const ids = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const id = String(request.headers["webhook-id"]);
      if (!ids.has(id)) reported.push(...reportedIn(Buffer.concat(chunks).toString()));
      ids.add(id);
      response.writeHead(200).end();
    });
    request.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    reported,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reportedIn(text: string): Reported[] {
  const parsed: Body | readonly Body[] = JSON.parse(text);
  return [parsed].flat().map((body: Body) => ({
    signal: body.signal,
    dataSourceId: body.track_state?.datasource_id ?? body.zone_state?.datasource_id ?? "",
    trackId: body.track_state?.track_id ?? body.zone_state?.trigger_track_id ?? "",
    digest: hash("sha1", JSON.stringify(body)),
  }));
}
