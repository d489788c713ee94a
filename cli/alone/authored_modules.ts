/**
 * Links the author's code of a compile in a tab (actions, services, hooks and tables) with the packages that the tab contains.
 */
import * as drizzle from "drizzle-orm";
import * as sqliteCore from "drizzle-orm/sqlite-core";
import * as zod from "zod";
import * as action from "../../shared/authoring/action.ts";
import * as authoring from "../../shared/authoring/mod.ts";
import type { AppOptions } from "../../shared/runtime/mod.ts";
import type { TabOutput } from "../../playground/mod.ts";
import { linked } from "./linked_modules.ts";

type Code = Required<Pick<AppOptions, "actions" | "authored" | "schema">>;

const KNOWN = {
  "drizzle-orm": drizzle,
  "drizzle-orm/sqlite-core": sqliteCore,
  zod,
  "src/quickback/authoring/mod.ts": authoring,
  "src/quickback/authoring/action.ts": action,
  // The module contains only types.
  "src/authoring/register.ts": {},
};

export function modulesOf({ texts, imports }: TabOutput["authored"]): Code {
  const options = { texts, imports, known: KNOWN };
  // The compiler wrote these modules: `src/actions.ts` and `src/services.ts` of every output have this form.
  return {
    ...linked("src/actions.ts", options),
    ...linked("src/services.ts", options),
  } as unknown as Code;
}
