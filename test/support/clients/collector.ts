// A collector of traces: an HTTP server that decodes OTLP as JSON.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty or absent for the first span of a trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  /** The process, by its `service.name`. */
  readonly service: string;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Paths and headers of the requests. */
  readonly requests: readonly { readonly path: string | undefined; readonly headers: object }[];
  close(): Promise<void>;
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: CollectedSpan["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<CollectedSpan, "service">[] }[];
  }[];
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: { path: string | undefined; headers: object }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      requests.push({ path: request.url, headers: request.headers });
      for (const span of decode(Buffer.concat(chunks).toString())) spans.push(span);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    request.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function decode(text: string): CollectedSpan[] {
  const exported = JSON.parse(text) as Exported;
  return exported.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const name = resource.attributes.find(({ key }) => key === "service.name")?.value;
    const service = Object(name).stringValue;
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
  });
}
