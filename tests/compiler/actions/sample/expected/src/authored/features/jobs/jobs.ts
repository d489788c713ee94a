import { jobs as generatedTable } from "../../../schema/jobs.ts";
import { feature, q } from "@quickback/compiler";
import { STATES } from "./lib/states.ts";
export const LIMIT = 5;
export default generatedTable;

export { generatedTable as jobs };
