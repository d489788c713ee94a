/** Defines the types of the fields of the configuration's objects. */
import type { CONFIG } from "../../../../definition_language/config.ts";
import type { Fields } from "../read/fields.ts";

type ConfigMembers = (typeof CONFIG)["members"];

export type ConfigFields = Fields<ConfigMembers>;
export type AuthFields = Fields<ConfigMembers["auth"]["members"]>;
export type ProviderFields = Fields<ConfigMembers["providers"]["members"]>;
