/** What a template's `quickback/services` stands for in this repository: a project without code outside of features. */
export { NO_CODE as authored } from "../../shared/surface/authored_code.ts";
