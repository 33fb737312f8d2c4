const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Whether only this machine reaches what listens on the host. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
