/** The product's version, as every output, answer and package names it: said here and nowhere else. */
export const VERSION = "0.1.0";

/** Name of the package on npm: said here and nowhere else. Code imports it as `quickback` whatever it is. */
export const PACKAGE = "quickback";

/** Name on npm of the typed client alone. */
export const CLIENT_PACKAGE = "@quickback/client";
