// WebSockets on /graphql.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Transports } from "../http/server.ts";
import type { TransportDeps } from "./transport.ts";
import { serveConnection } from "./ws-connection.ts";
import { closeCodes, LINES_PROTOCOL, PROTOCOL } from "./ws-messages.ts";

/** Answers every upgrade request of a server. */
export function createWebSockets(deps: TransportDeps): Transports["upgrade"] {
  const { clients } = deps;
  const upgrader = new WebSocketServer({
    noServer: true,
    // Compression is off: each frame would be compressed again for every subscriber, and `textFrame` writes frames
    // without the library.
    perMessageDeflate: false,
    maxPayload: deps.config.API_SUBSCRIPTION_MESSAGE_BYTES,
    handleProtocols: (offered) => [LINES_PROTOCOL, PROTOCOL].find((known) => offered.has(known)) ?? false,
  });

  function accept(ws: WebSocket, socket: Duplex): void {
    if (ws.protocol === "") {
      ws.on("error", () => undefined);
      ws.close(closeCodes.subprotocol, "Subprotocol not acceptable");
      return;
    }
    const client = serveConnection(ws, socket, deps);
    clients.addNew(client, () => ws.terminate());
  }

  return (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", destroy);
    const [path] = (request.url ?? "").split("?");
    if (path !== "/graphql") refuse(socket, "404 Not Found");
    else if (!clients.hasCapacity()) refuse(socket, "503 Service Unavailable\r\nRetry-After: 1");
    else upgrader.handleUpgrade(request, socket, head, (ws) => accept(ws, socket));
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** One shared function, because every client has it. */
function destroy(this: Duplex): void {
  this.destroy();
}
