/** The product's version, as every output, answer and package has it. It is defined only here. */
export const VERSION = "0.1.0";

/** Name of the package on npm, defined only here. Code imports it as `quickback` in any case. */
export const PACKAGE = "quickback";

/** Name on npm of the package with the typed client only. */
export const CLIENT_PACKAGE = "@quickback/client";
