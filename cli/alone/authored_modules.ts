/** The author's code of a compile in a tab: actions, services, hooks and tables, linked with the packages that the tab has. */
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
  // Types alone.
  "src/authoring/register.ts": {},
};

export function modulesOf({ texts, imports }: TabOutput["authored"]): Code {
  const options = { texts, imports, known: KNOWN };
  // The compiler has written them: `src/actions.ts` and `src/services.ts` of every output have this form.
  return {
    ...linked("src/actions.ts", options),
    ...linked("src/services.ts", options),
  } as unknown as Code;
}
