// A GraphQL server of somebody else: what it answers is the test's.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface AskedOf<Variables> {
  readonly query: string;
  readonly variables: Variables;
  readonly headers: IncomingMessage["headers"];
}

/** Sends what it likes; what it returns, if anything, is sent as JSON. */
export type Answering<Variables> = (asked: AskedOf<Variables>, response: ServerResponse) => unknown;

export interface GraphQLStandIn<Variables> {
  readonly url: string;
  readonly asked: readonly AskedOf<Variables>[];
  /** The most requests that were open at the same time. */
  readonly atOnce: () => number;
  readonly open: () => number;
}

/** Refuses larger pages as our own API does. `firstOf`: what the variables ask for. */
export const withPagesOf =
  <Variables>(
    largest: number,
    firstOf: (variables: Variables) => number,
    answering: Answering<Variables>,
  ): Answering<Variables> =>
  (asked, response) =>
    firstOf(asked.variables) <= largest
      ? answering(asked, response)
      : { data: null, errors: [{ message: `first is at most ${largest}`, extensions: TOO_LARGE }] };

const TOO_LARGE = { code: "BAD_USER_INPUT", path: ["first"] };

/** Closed when the test ends. */
export async function startGraphQLServer<Variables>(
  answering: Answering<Variables>,
): Promise<GraphQLStandIn<Variables>> {
  const asked: AskedOf<Variables>[] = [];
  let open = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++open);
    response.on("close", () => open--);
    let text = "";
    for await (const chunk of request) text += chunk;
    const question: AskedOf<Variables> = { ...JSON.parse(text), headers: request.headers };
    asked.push(question);
    const answer = await answering(question, response);
    if (answer === undefined) return;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/graphql`, asked, atOnce: () => most, open: () => open };
}
