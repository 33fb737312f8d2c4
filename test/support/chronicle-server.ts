// A GraphQL server of somebody else, as far as a chronicle query needs one: it reads the variables, not the document.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type RawChronicle = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Asked {
  readonly query: string;
  readonly variables: {
    readonly filter: Readonly<Record<string, { readonly between: readonly [string, string] }>>;
    readonly first: number;
    readonly after: string | null;
  };
  readonly headers: IncomingMessage["headers"];
}

type Answering = (asked: Asked, response: ServerResponse) => unknown;

export interface ChronicleServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** The most requests that were open at the same time. */
  readonly atOnce: () => number;
}

/** Closed when the test ends. `answering` sends what it likes; what it returns, if anything, is sent as JSON. */
export async function startChronicleServer(answering: Answering): Promise<ChronicleServer> {
  const asked: Asked[] = [];
  let open = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++open);
    response.on("close", () => open--);
    let text = "";
    for await (const chunk of request) text += chunk;
    const question: Asked = { ...JSON.parse(text), headers: request.headers };
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
  return { url: `http://127.0.0.1:${port}/graphql`, asked, atOnce: () => most };
}

/** Answers with the chronicles in the period asked for, both ends included, at most `pageSize` on a page. */
export function pagesOf(chronicles: readonly RawChronicle[], pageSize = 7): Answering {
  return ({ variables: { filter, after } }) => {
    const [field = "", { between } = { between: ["", ""] as const }] = Object.entries(filter)[0] ?? [];
    const [from, to] = between.map((time) => Date.parse(time));
    const at = (chronicle: RawChronicle) => Date.parse(String(chronicle[field]));
    const found = chronicles
      .filter((each) => at(each) >= (from ?? 0) && at(each) <= (to ?? 0))
      .sort((a, b) => at(a) - at(b));
    const begin = after === null ? 0 : Number(after);
    const end = begin + pageSize;
    return pageAnswer(field, found.slice(begin, end), end < found.length ? String(end) : null);
  };
}

/** `cursor`: of the next page; null on the last one. */
export const pageAnswer = (field: string, nodes: readonly RawChronicle[], cursor: string | null) => ({
  data: {
    [field === "timestamp" ? "eventChronicles" : "activityChronicles"]: {
      pageInfo: { hasNextPage: cursor !== null, endCursor: cursor },
      edges: nodes.map((node) => ({ node })),
    },
  },
});
