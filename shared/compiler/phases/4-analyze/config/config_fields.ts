/** Fields of the configuration's objects, as their parts are read. */
import type { CONFIG } from "../../../../definition_language/config.ts";
import type { Fields } from "../read/fields.ts";

type ConfigMembers = (typeof CONFIG)["members"];

export type ConfigFields = Fields<ConfigMembers>;
export type AuthFields = Fields<ConfigMembers["auth"]["members"]>;
export type ProviderFields = Fields<ConfigMembers["providers"]["members"]>;
