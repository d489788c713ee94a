/** Passes the client's address to the account library. */

/** Set by `handle()` on every request that reaches the library; what a caller sends under this name is removed. */
export const CLIENT_IP_HEADER = "x-quickback-client-ip";
