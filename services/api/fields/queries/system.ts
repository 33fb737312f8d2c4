import { may } from "../../../../projections/catalog/tokens.ts";
import { AppError } from "../../../../schemas/errors.ts";
import type { ApiContext } from "../../graphql/context.ts";

/** Its fields are functions, so each is read when it is selected. */
export function system(_root: unknown, _args: object, { principal, system: found }: ApiContext) {
  if (!may(principal, "admin")) throw new AppError("FORBIDDEN", "the system needs a token with the scope admin");
  return found;
}
