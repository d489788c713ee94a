/** Phase 6: writes the plan out. A pure function: the same plan gives the same bytes. */
import { TARGETS } from "../../platforms/mod.ts";
import { compareText } from "../../../lib/texts.ts";
import { emitConformanceManifest } from "../../../oracle/manifest.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { GeneratedFile } from "../../host.ts";
import { denoLockText } from "../../lock/deno_lock.ts";
import type { OutputPlan } from "../5-plan/output_plan.ts";
import { emitAsyncApi } from "./asyncapi/emit_asyncapi.ts";
import { authoredFiles } from "./authored/authored_files.ts";
import { clientTypes } from "./client_types/client_types.ts";
import { emitOpenApi, openApiDocument } from "./openapi/emit_openapi.ts";
import { emitOperationsManifest } from "./operations_manifest.ts";
import { lockedPackages } from "./locked_packages.ts";
import { denoConfig, readme } from "./project_files.ts";
import { openapiModule } from "./openapi_module.ts";
import { projectModule } from "./project_module.ts";
import { relationsModule } from "./relations_module.ts";
import { schemaIndex, schemaModule } from "./schema_modules.ts";
import { emitSchemaRegistry } from "./schema_registry.ts";
import { specModule } from "./spec_module.ts";

/** All files of the output, sorted by path. */
export function emit(plan: OutputPlan): readonly GeneratedFile[] {
  const files = [
    ...projectFiles(plan),
    ...descriptions(plan),
    ...sources(plan),
    ...authoredFiles(plan),
    ...plan.migration,
    ...plan.platform,
    ...Object.entries(plan.carried).map(([path, content]) => ({ path, content })),
  ].sort((a, b) => compareText(a.path, b.path));
  requireDistinct(files);
  return files;
}

function projectFiles(plan: OutputPlan): readonly GeneratedFile[] {
  const locked = lockedPackages(plan);
  return [
    { path: "deno.json", content: denoConfig(plan, locked) },
    { path: "deno.lock", content: denoLockText(locked) },
    { path: "README.md", content: readme(plan) },
  ];
}

function descriptions({ model, places }: OutputPlan): readonly GeneratedFile[] {
  return [
    ...apiDescriptions(model),
    ...(model.schemaRegistry
      ? [{ path: "schema-registry.json", content: emitSchemaRegistry(model) }]
      : []),
    { path: "reports/conformance.manifest.json", content: emitConformanceManifest(model, places) },
    { path: "reports/operations.manifest.json", content: emitOperationsManifest(model) },
  ];
}

/** The document is the largest of the output, so that it is made once for all that is read off it. */
function apiDescriptions(model: ProjectModel): readonly GeneratedFile[] {
  const { generate, types } = model.openapi;
  if (!generate && types.length === 0) return [];
  const document = openApiDocument(model);
  return [
    ...(generate
      ? [
        { path: "asyncapi.json", content: emitAsyncApi(model) },
        { path: "openapi.json", content: emitOpenApi(model, document) },
      ]
      : []),
    ...types.map((path) => ({ path, content: clientTypes(model, document) })),
  ];
}

function sources(plan: OutputPlan): readonly GeneratedFile[] {
  const context = { specs: new Map(plan.specs.map((spec) => [spec.table.name, spec])) };
  const relations = relationsModule(plan.specs);
  return [
    { path: "src/project.ts", content: projectModule(plan) },
    ...(TARGETS[plan.model.runtime].bundlesDescription
      ? [{ path: "src/openapi.ts", content: openapiModule(plan.model) }]
      : []),
    ...(relations === null ? [] : [{ path: "src/relations.ts", content: relations }]),
    {
      path: "src/schema/mod.ts",
      content: schemaIndex(plan.specs, { hasRelations: relations !== null }),
    },
    ...plan.specs.flatMap((spec) => [
      { path: `src/resources/${spec.fileName}.ts`, content: specModule(spec) },
      { path: `src/schema/${spec.fileName}.ts`, content: schemaModule(spec, context) },
    ]),
  ];
}

function requireDistinct(files: readonly GeneratedFile[]): void {
  files.forEach(({ path }, at) => {
    if (files[at + 1]?.path === path) throw new Error(`Two files of the output are '${path}'`);
  });
}
