/** The compiler's version, as every output and answer names it. */
export { VERSION } from "../shared/contract/version.ts";
