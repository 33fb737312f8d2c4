import { NAMESPACE } from "../../../schemas/identity.ts";

/** The id that `derivedId` returns for these two, as an expression. */
export const derivedIdSql = (kind: "tag", sql: string): string =>
  `arrayMap(sha1 -> concat(substring(sha1, 1, 8), '-', substring(sha1, 9, 4), '-5', substring(sha1, 14, 3), '-',
    substring('89ab89ab89ab89ab', position('0123456789abcdef', substring(sha1, 17, 1)), 1), substring(sha1, 18, 3), '-',
    substring(sha1, 21, 12)), [lower(hex(SHA1(concat(unhex('${NAMESPACE.toString("hex")}'), '${kind}', char(0), ${sql}))))])[1]`;
