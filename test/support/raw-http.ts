// HTTP on raw sockets, for load generators that must use little of the processor that the server needs too.

interface Target {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const HEAD_END = Buffer.from("\r\n\r\n");

/** A POST as it goes over the wire. */
export function requestOf({ path, headers }: Target, body: string): Buffer {
  const lines = Object.entries({ host: "127.0.0.1", "content-type": "application/json", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`POST ${path} HTTP/1.1`, ...lines, `content-length: ${Buffer.byteLength(body)}`].join("\r\n");
  return Buffer.from(`${head}\r\n\r\n${body}`);
}
