// A plain GraphQL client for tests: one request, the whole answer.

export interface GraphQLAnswer<Data = Record<string, never>> {
  readonly data: Data | null | undefined;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: { readonly code: string; readonly path?: readonly (string | number)[] } & Record<
      string,
      unknown
    >;
  }[];
  readonly extensions?: { readonly position?: string };
  readonly status: number;
}

export interface GraphQLClient {
  /** The answer as it is, errors included. Hangs up after `timeoutMs`, if given, and rejects. */
  send<Data>(
    query: string,
    variables?: object,
    headers?: Record<string, string>,
    timeoutMs?: number,
  ): Promise<GraphQLAnswer<Data>>;
  /** The data; rejects with the errors as text. */
  ask<Data>(query: string, variables?: object, headers?: Record<string, string>): Promise<Data>;
}

export function createGraphQLClient(
  url: string,
  token: { readonly id: string; readonly value: string },
): GraphQLClient {
  async function send<Data>(
    query: string,
    variables: object = {},
    headers: Record<string, string> = {},
    timeoutMs?: number,
  ) {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-token-id": token.id,
        "x-token-value": token.value,
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
      signal: timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs),
    });
    const answer = (await response.json()) as GraphQLAnswer<Data>;
    if (answer.data === undefined && answer.errors === undefined) {
      throw new Error(`not an answer of GraphQL, status ${response.status}: ${JSON.stringify(answer)}`);
    }
    return { ...answer, status: response.status };
  }

  return asking(send);
}

/** A client that asks by sending. */
export const asking = (send: GraphQLClient["send"]): GraphQLClient => ({
  send,
  async ask<Data>(query: string, variables?: object, headers?: Record<string, string>) {
    const { data, errors } = await send<Data>(query, variables, headers);
    if (errors !== undefined || data == null) throw new Error(`answered with ${JSON.stringify(errors)}`);
    return data;
  },
});
