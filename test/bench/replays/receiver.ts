// A receiver of webhooks that accepts everything. Runs as a separate process, at the lowest priority: in an
// installation it is on another machine.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { constants, setPriority } from "node:os";

setPriority(constants.priority.PRIORITY_LOW);
const server = createServer((request, response) => {
  request.resume().on("end", () => response.end());
});
server.listen(0, "127.0.0.1", () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
