// The token of this tab. A link may carry it in the fragment, which browsers send to no server.

export interface Token {
  readonly id: string;
  readonly value: string;
}

/** GraphiQL uses the same entry, so a user enters a token once per tab. */
const KEY = "tracklog.token";
const ID = "x-token-id";
const VALUE = "x-token-value";

export const headersOf = ({ id, value }: Token): Readonly<Record<string, string>> => ({ [ID]: id, [VALUE]: value });

/**
 * Takes the token of the link, else that of this tab. The address bar loses the fragment, so that a copied address
 * holds no token.
 */
export function takeToken(): Token | undefined {
  const given = tokenIn(location.href);
  if (given === undefined) return tokenOf(kept());
  keepToken(given);
  history.replaceState(null, "", location.pathname + location.search);
  return given;
}

/** Returns the token that a link holds. */
export function tokenIn(link: string): Token | undefined {
  const [, fragment = ""] = link.split("#");
  return tokenOf(Object.fromEntries(new URLSearchParams(fragment)));
}

/** Keeps the token until the tab is closed. */
export const keepToken = (token: Token): void => sessionStorage.setItem(KEY, JSON.stringify(headersOf(token)));

export const forgetToken = (): void => sessionStorage.removeItem(KEY);

function kept(): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return undefined;
  }
}

function tokenOf(value: unknown): Token | undefined {
  const { [ID]: id, [VALUE]: secret } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof id === "string" && id !== "" && typeof secret === "string" && secret !== ""
    ? { id, value: secret }
    : undefined;
}
