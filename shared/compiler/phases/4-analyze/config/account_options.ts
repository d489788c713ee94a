/** Defines the type of the account options after they are read. */
import { AUTH_OPTIONS } from "../../../../definition_language/providers.ts";
import type { Fields } from "../read/fields.ts";

export type AccountOptions = Fields<(typeof AUTH_OPTIONS)["members"]>;
