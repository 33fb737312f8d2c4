// Asks the REST interface as its callers do.
import { createOpenApiCheck } from "../oracles/openapi.ts";

export type Headers = Readonly<Record<string, string>>;
export interface Answer {
  readonly status: number;
  readonly headers: globalThis.Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the members of an answer that it reads.
  readonly body: any;
}

/** Sends the token that it was made with, unless other headers are given. */
export type Ask = (method: string, path: string, body?: unknown, headers?: Headers) => Promise<Answer>;

/** Every request and answer must fit the OpenAPI document of the server. */
export function askAt(url: string, token: Headers): Ask {
  const check = fetch(`${url}/openapi.json`).then(async (reply) => createOpenApiCheck(await reply.json()));
  return async (method, path, body, headers = token) => {
    const content = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...content, ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = text === "" ? undefined : JSON.parse(text);
    const { status } = response;
    (await check)({ method, path, sent: body, status, contentType: response.headers.get("content-type"), answer });
    return { status, headers: response.headers, body: answer };
  };
}
