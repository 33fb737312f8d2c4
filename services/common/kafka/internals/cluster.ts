// kafkajs' own cluster of brokers, for requests that its public interface does not offer.
import type { Kafka } from "kafkajs";

const CREATE_CLUSTER = "private:Kafka:createCluster";

/**
 * Creates a cluster with the settings of the client: brokers, time-outs, credentials. The type `Cluster` has the
 * members that the caller needs. The cluster is not connected yet.
 */
export function createCluster<Cluster>(kafka: Kafka): Cluster {
  const create: (options: { readonly allowAutoTopicCreation: boolean }) => Cluster = Reflect.get(
    kafka,
    clusterKeyOf(kafka),
  );
  return create({ allowAutoTopicCreation: false });
}

/**
 * Returns the key of the client's member that creates clusters. The member may belong to the client from which this one
 * derives.
 */
export function clusterKeyOf(kafka: Kafka): symbol {
  const found = symbolsOf(kafka).find(({ description }) => description === CREATE_CLUSTER);
  if (found === undefined) throw new Error("this kafkajs has no createCluster");
  return found;
}

const symbolsOf = (of: object | null): symbol[] =>
  of === null ? [] : [...Object.getOwnPropertySymbols(of), ...symbolsOf(Object.getPrototypeOf(of))];
