// Computes from measured costs what an installation needs. Pure: every number of docs/capacity.md comes from here.

const DAY_S = 86_400;
const HOUR_S = 3_600;
const MILLION = 1_000_000;

export const roles = ["api", "state-machine", "projector", "webhooks", "state-api"] as const;
export const stores = ["kafka", "redis", "clickhouse"] as const;

export type RoleName = (typeof roles)[number];
export type StoreName = (typeof stores)[number];

/** The processor time of a process is that of its many small rounds, and that of each detection. */
export interface ProcessorCost {
  /** Busy cores of a process under any load, for rounds, timers and requests, however few detections come. */
  readonly baseCores: number;
  /** Seconds of processor time for a million detections and all that follows from them. */
  readonly secondsPerMillion: number;
}

/** The results of `npm run test:capacity`. */
export interface MeasuredCosts {
  readonly machine: string;
  readonly load: {
    /** Cameras of the two measurements, from which the two parts of a processor's cost follow. */
    readonly cameras: readonly [number, number];
    readonly boxes: number;
    readonly fps: number;
    readonly zonesPerCamera: number;
    readonly trackSeconds: number;
    readonly seconds: number;
    readonly detections: number;
  };
  readonly cpu: Readonly<Record<RoleName | StoreName, ProcessorCost>>;
  /** Bytes by topic, in one copy. */
  readonly kafkaBytesPerDetection: Readonly<Record<string, number>>;
  /** Bytes by table, compressed and merged. */
  readonly clickhouseBytesPerDetection: Readonly<Record<string, number>>;
  readonly redisBytes: { readonly track: number; readonly zone: number };
  /** Resident memory of a process under the load. */
  readonly residentMib: Readonly<Record<RoleName, number>>;
}

export interface Installation {
  readonly cameras: number;
  /** Detections in a frame. */
  readonly boxes: number;
  /** Frames per second of a camera that are sent. */
  readonly fps: number;
  /** Time for which an object stays in the image, s. */
  readonly trackSeconds: number;
  readonly zonesPerCamera: number;
  /** Copies of each partition in Kafka. */
  readonly replication: number;
  readonly logDays: number;
  readonly coresOfMachine: number;
  readonly memoryOfMachineGib: number;
}

export const DEFAULTS: Omit<Installation, "cameras"> = {
  boxes: 10,
  fps: 5,
  trackSeconds: 20,
  zonesPerCamera: 3,
  replication: 3,
  logDays: 7,
  coresOfMachine: 8,
  memoryOfMachineGib: 32,
};

export interface Plan {
  readonly detectionsPerSecond: number;
  readonly partitions: number;
  readonly processes: Readonly<Record<RoleName, number>>;
  /** Busy cores of each store, all copies together, and of all roles. */
  readonly cores: Readonly<Record<StoreName | "roles", number>>;
  readonly machines: number;
  readonly redisMib: number;
  readonly rolesMib: number;
  readonly kafkaGibPerDay: number;
  readonly kafkaGib: number;
  readonly clickhouseGibPerDay: number;
}

/**
 * A process is planned to be busy for this share of a core: the rest is for peaks, and for what others leave behind.
 */
const BUSY = 0.5;
/** So that one may die or be replaced. */
const LEAST_PROCESSES = 2;
/**
 * Ended tracks are remembered for an hour (FORGET_TRACK_MS), and at most so many in a partition (REMEMBERED_TRACKS).
 */
const REMEMBERED_S = HOUR_S;
const REMEMBERED_IN_PARTITION = 50_000;
/** Memory of a remembered track in a state machine: docs/decisions/0010. */
const TRACK_IN_MEMORY = 2_300;
/** The default number of partitions, which divides the next ones: a log grows by a multiple (docs/growing.md). */
const LEAST_PARTITIONS = 12;
/** A state machine is to have this many partitions, so that one more takes over a share. */
const PARTITIONS_OF_STATE_MACHINE = 4;
/** Kafka removes whole segments, each of an eighth of the retention. */
const SEGMENTS_OF_RETENTION = 8;
/**
 * Stores other than Kafka and Redis use much memory as cache. This is the least for ClickHouse and each copy of
 * Kafka.
 */
const CACHE_MIB = 4_096;
const MIB = 1_024 ** 2;
const GIB = 1_024 ** 3;

export function planFor(installation: Installation, measured: MeasuredCosts): Plan {
  const { cameras, boxes, fps, zonesPerCamera, replication, logDays } = installation;
  const detectionsPerSecond = cameras * boxes * fps;
  const forDetections = (name: RoleName | StoreName) =>
    (detectionsPerSecond / MILLION) * measured.cpu[name].secondsPerMillion;
  const busyCores = (name: RoleName | StoreName, processes: number) =>
    processes * measured.cpu[name].baseCores + forDetections(name);
  const processesOf = (role: RoleName) =>
    Math.max(LEAST_PROCESSES, Math.ceil(forDetections(role) / (BUSY - measured.cpu[role].baseCores)));
  const partitions = partitionsFor(processesOf("state-machine"));
  const processes = { ...record(roles, processesOf), webhooks: Math.min(processesOf("webhooks"), partitions) };
  const tracks = rememberedTracks(installation, partitions);
  const redisBytes = tracks * measured.redisBytes.track + cameras * zonesPerCamera * measured.redisBytes.zone;
  const rolesMib =
    roles.reduce((sum, role) => sum + processes[role] * measured.residentMib[role], 0) +
    (tracks * TRACK_IN_MEMORY) / MIB;
  const cores = {
    // A follower fetches and writes what its leader has written.
    kafka: busyCores("kafka", 1) * replication,
    redis: busyCores("redis", 1),
    clickhouse: busyCores("clickhouse", 1),
    roles: roles.reduce((sum, role) => sum + busyCores(role, processes[role]), 0),
  };
  const perDay = (bytes: Readonly<Record<string, number>>) => (total(bytes) * detectionsPerSecond * DAY_S) / GIB;
  const kafkaGibPerDay = perDay(measured.kafkaBytesPerDetection) * replication;
  const memoryMib = rolesMib + 2 * (redisBytes / MIB) + CACHE_MIB * (replication + 1);
  return {
    detectionsPerSecond,
    partitions,
    processes,
    cores,
    machines: machinesFor(total(cores) / BUSY, memoryMib, installation),
    redisMib: redisBytes / MIB,
    rolesMib,
    kafkaGibPerDay,
    kafkaGib: kafkaGibPerDay * logDays * (1 + 1 / SEGMENTS_OF_RETENTION),
    clickhouseGibPerDay: perDay(measured.clickhouseBytesPerDetection),
  };
}

/** The smallest number of the row 12, 24, 48 ... that gives each state machine enough. */
function partitionsFor(stateMachines: number): number {
  let partitions = LEAST_PARTITIONS;
  while (partitions < stateMachines * PARTITIONS_OF_STATE_MACHINE) partitions *= 2;
  return partitions;
}

function rememberedTracks({ cameras, boxes, trackSeconds }: Installation, partitions: number): number {
  const live = cameras * boxes;
  const ended = (live / trackSeconds) * REMEMBERED_S;
  return live + Math.min(ended, partitions * REMEMBERED_IN_PARTITION);
}

/** With several copies of each partition, each is on a machine of its own. */
function machinesFor(cores: number, memoryMib: number, installation: Installation): number {
  const { coresOfMachine, memoryOfMachineGib, replication } = installation;
  const wanted = Math.max(cores / coresOfMachine, memoryMib / 1_024 / memoryOfMachineGib);
  return Math.max(replication, Math.ceil(wanted));
}

const total = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);

const record = <K extends string, T>(keys: readonly K[], of: (key: K) => T): Readonly<Record<K, T>> =>
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, T>;
