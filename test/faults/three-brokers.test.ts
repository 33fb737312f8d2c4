// Three brokers, of which one or two are away or slow. The tests share one cluster and leave it whole.
import "./three-brokers/cluster.ts";
import "./three-brokers/uneven.ts";
import "./three-brokers/leaderless.ts";
