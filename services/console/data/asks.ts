/** The part of `Requests` that questions need. It names nothing of a browser, so that tests in Node use questions. */
export interface Asks {
  /** @throws ApiError when it is refused, in part or in whole, or does not arrive. */
  ask<Data>(document: string, variables?: object, signal?: AbortSignal): Promise<Data>;
}
