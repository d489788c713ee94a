/** Version of the compiler, as every output and answer contains it. */
export { VERSION } from "../shared/contract/version.ts";
