/** The product's version, as every output, answer and package names it: said here and nowhere else. */
export const VERSION = "0.1.0";
