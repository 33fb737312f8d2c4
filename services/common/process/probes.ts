// Probes of operators and load balancers: every port of a process answers them at the same paths, without a token.

export const PROBES = ["/health", "/livez", "/readyz"] as const;

export type ProbePath = (typeof PROBES)[number];

/** A process that answers at all is alive; only readiness depends on its state. */
export const isProbePassed = (path: ProbePath, isReady: () => boolean): boolean => path !== "/readyz" || isReady();
