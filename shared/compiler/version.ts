/** The compiler's version, as every output and answer names it. */
export const VERSION = "0.1.0";
