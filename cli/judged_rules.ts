/** Fails a command that judges a project by its definitions where it cannot judge all of them (docs/proof.md). */
import type { ProjectModel } from "../shared/model/mod.ts";
import { relatedRules } from "../shared/oracle/related_rules.ts";
import { CommandError } from "./exit_codes.ts";

/** Throws a `CommandError` that names the rules which follow relations. */
export function requireJudgedRules(model: ProjectModel): void {
  const rules = relatedRules(model);
  if (rules.length === 0) return;
  throw new CommandError(
    `Rules that follow relations are not judged by this command yet: ${rules.join(", ")}. ` +
      "Write tests of them (docs/guides/testing.md)",
  );
}
