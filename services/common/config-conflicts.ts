// Variables that do not fit together: the stores would be reached in another way than the operator means.

type Values = Readonly<Record<string, unknown>>;

interface Rule {
  /** Variables that the rule is about. */
  readonly of: readonly string[];
  /** True when one of them is set and the rest does not fit it. */
  readonly isBroken: (set: Values, name: string) => boolean;
  readonly message: string;
}

const files = (store: string): readonly string[] => ["CA", "CERT", "KEY"].map((kind) => `${store}_${kind}_FILE`);

/** The certificate of a client is nothing without its key, and the other way round. */
const pair = (store: string): readonly Rule[] => {
  const [cert, key] = [`${store}_CERT_FILE`, `${store}_KEY_FILE`];
  const without = (other: string) => (set: Values) => set[other] === undefined;
  return [
    { of: [cert], isBroken: without(key), message: `wants a key as well (${key})` },
    { of: [key], isBroken: without(cert), message: `wants a certificate as well (${cert})` },
  ];
};

/** Files for TLS beside an address without TLS: the connection would not be encrypted. */
const onlyWith = (names: readonly string[], address: string, scheme: string): Rule => ({
  of: names,
  isBroken: (set) => set[address] !== undefined && !String(set[address]).startsWith(scheme),
  message: `wants an encrypted connection: ${address} must begin with ${scheme}`,
});

const RULES: readonly Rule[] = [
  ...["KAFKA", "REDIS", "CLICKHOUSE"].flatMap(pair),
  {
    of: files("KAFKA"),
    isBroken: (set) => set["KAFKA_SSL"] !== "true",
    message: "wants an encrypted connection: KAFKA_SSL must be true",
  },
  onlyWith(files("REDIS"), "REDIS_URL", "rediss://"),
  onlyWith(files("CLICKHOUSE"), "CLICKHOUSE_URL", "https://"),
  onlyWith(["SCHEMA_REGISTRY_CA_FILE"], "SCHEMA_REGISTRY_URL", "https://"),
  {
    of: ["KAFKA_SASL_MECHANISM"],
    isBroken: (set, name) => set[name] === "OAUTHBEARER" && set["KAFKA_SASL_TOKEN_FILE"] === undefined,
    message: "wants a token for OAUTHBEARER (KAFKA_SASL_TOKEN_FILE)",
  },
  {
    of: ["KAFKA_SASL_TOKEN_FILE"],
    isBroken: (set) => set["KAFKA_SASL_MECHANISM"] !== "OAUTHBEARER",
    message: "wants a login with a token: KAFKA_SASL_MECHANISM must be OAUTHBEARER",
  },
  {
    of: ["REDIS_SENTINELS"],
    isBroken: (set) => set["REDIS_SENTINEL_NAME"] === undefined,
    message: "wants the name of the master as well (REDIS_SENTINEL_NAME)",
  },
  {
    of: ["REDIS_CLUSTER"],
    isBroken: (set) => ["SENTINELS", "SENTINEL_NAME", "SENTINEL_PASSWORD"].some((each) => `REDIS_${each}` in set),
    message: "wants no Sentinels: set REDIS_CLUSTER, or REDIS_SENTINELS and what belongs to it",
  },
  {
    of: ["REDIS_CLUSTER"],
    isBroken: (set) => /^rediss?:\/\/[^/]*\/0*[1-9]/.test(String(set["REDIS_URL"])),
    message: "wants no database in REDIS_URL: a Cluster has only database 0",
  },
];

/** Returns a sentence for each conflict. Variables that are not in `shape` mean nothing to the process. */
export const conflictsIn = (set: Values, shape: object): readonly string[] =>
  RULES.flatMap(({ of, isBroken, message }) =>
    of
      .filter((name) => name in shape && set[name] !== undefined && isBroken(set, name))
      .map((name) => `${name} ${message}`),
  );

/**
 * The rules about a variable, in words that complete "it".
 *
 * @internal
 */
export const relationsOf = (name: string): readonly string[] =>
  RULES.filter(({ of }) => of.includes(name)).map(({ message }) => message);
