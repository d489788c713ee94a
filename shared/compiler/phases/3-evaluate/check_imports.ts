/** Checks that everything a file imports exists. A misspelt name or path is reported at the import (definitions 1). */
import type { Report } from "../../diagnostics/report.ts";
import { nearest } from "../../../lib/nearest.ts";
import * as symbols from "./authoring_symbols.ts";
import { type Located, placeOf } from "./place.ts";
import { exportedNames, isExported, type ProjectScope, targetOf } from "./project_scope.ts";
import type { Scope } from "./scope.ts";

export function checkImports(project: ProjectScope, scope: Scope, report: Report): void {
  const misspelt = new Set<string>();
  const declared = [...scope.declarations.values()].filter((one) => one.kind === "import");
  const exported = [...scope.exports.values()].filter((one) => one.kind === "from");
  const whole = [...scope.stars, ...scope.effects].map((one) => ({ ...one, imported: null }));
  for (const imported of [...declared, ...exported, ...whole]) {
    const { specifier } = imported;
    const module = imported.imported === null
      ? null
      : symbols.suggestedModule(specifier, imported.imported);
    if (module === null) {
      checkImport(project, scope, imported, report);
    } else if (!misspelt.has(specifier)) {
      const place = placeOf(imported.node, scope.source);
      report.add("IMPORT_MODULE_UNKNOWN", place, { module: specifier, nearest: module });
      misspelt.add(specifier);
    }
  }
}

function checkImport(
  project: ProjectScope,
  scope: Scope,
  { specifier, imported, node }: {
    readonly specifier: string;
    /** The imported name; `*` for a namespace, null for an import for effect only. */
    readonly imported: string | null;
    readonly node: Located;
  },
  report: Report,
): void {
  const place = placeOf(node, scope.source);
  if (symbols.AUTHORING_MODULES.has(specifier)) {
    if (imported === null || imported === "*" || symbols.AUTHORING_SYMBOLS.includes(imported)) {
      return;
    }
    const suggestion = nearest(imported, symbols.AUTHORING_SYMBOLS);
    return report.add("IMPORT_UNKNOWN", place, {
      name: imported,
      module: specifier,
      nearest: suggestion,
      known: symbols.AUTHORING_VALUES,
    });
  }
  const target = targetOf(project, scope.source, specifier);
  if (target.kind === "missing") {
    return report.add("IMPORT_FILE_MISSING", place, { specifier, nearest: target.nearest });
  }
  if (imported === null || imported === "*" || target.kind === "package") return;
  if (isExported(project, target, imported)) return;
  report.add("IMPORT_NAME_MISSING", place, {
    name: imported,
    specifier,
    nearest: nearest(imported, exportedNames(project, target)),
  });
}
