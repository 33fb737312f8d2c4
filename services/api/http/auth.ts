import type { Principal } from "../../../projections/catalog/tokens.ts";

/** HTTP headers, and members of the connection_init payload of a WebSocket. */
export const TOKEN_ID = "x-token-id";
export const TOKEN_VALUE = "x-token-value";

/** With API_AUTH=false every client may do everything. */
export const everybody: Principal = { tokenId: "", name: "everybody", scopes: ["admin"] };
