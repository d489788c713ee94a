/** Compares two versions of a project: rights of callers, and changes for clients. */
import { accessChanges } from "../proof/diff/access_changes.ts";
import { apiChanges } from "../proof/diff/api_changes.ts";
import type { Change } from "../proof/diff/change.ts";
import { fieldChanges } from "../proof/diff/field_changes.ts";
import { openApiDocument } from "../shared/compiler/mod.ts";
import type { ProjectModel } from "../shared/model/mod.ts";

export function changesBetween(before: ProjectModel, now: ProjectModel): readonly Change[] {
  return [
    ...accessChanges(before, now),
    ...fieldChanges(before, now),
    ...apiChanges(openApiDocument(before), openApiDocument(now)),
  ];
}
