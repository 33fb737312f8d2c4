const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** True when a server on this host can be reached from this machine only. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
