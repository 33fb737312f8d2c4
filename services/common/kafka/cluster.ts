// kafkajs' own cluster of brokers, for requests that its public interface does not offer.
import type { Kafka } from "kafkajs";

const CREATE_CLUSTER = "private:Kafka:createCluster";

/**
 * Has everything that the client was made with: brokers, time-outs, credentials. `Cluster` is as much of it as the
 * caller needs; it is not connected yet.
 */
export function createCluster<Cluster>(kafka: Kafka): Cluster {
  const key = Reflect.ownKeys(kafka).find((each) => typeof each === "symbol" && each.description === CREATE_CLUSTER);
  if (key === undefined) throw new Error("this kafkajs has no createCluster");
  const create: (options: { readonly allowAutoTopicCreation: boolean }) => Cluster = Reflect.get(kafka, key);
  return create({ allowAutoTopicCreation: false });
}
