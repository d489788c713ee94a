/** Runs phase 6, which writes the plan's files. The function is pure: the same plan gives the same bytes. */
import { jsonFile } from "../../../lib/json.ts";
import { compareText } from "../../../lib/texts.ts";
import type { JsonValue } from "../../../contract/mod.ts";
import type { ProjectModel } from "../../../model/mod.ts";
import { emitConformanceManifest } from "../../../oracle/manifest.ts";
import type { GeneratedFile } from "../../host.ts";
import { denoLockText } from "../../lock/deno_lock.ts";
import { TARGETS } from "../../platforms/mod.ts";
import type { OutputPlan } from "../5-plan/output_plan.ts";
import { emitAsyncApi } from "./asyncapi.ts";
import { authoredFiles } from "./authored/authored_files.ts";
import { clientTypes } from "./client_types/client_types.ts";
import { emitOpenApi, openApiDocument } from "./openapi/emit_openapi.ts";
import { emitOperationsManifest } from "./operations_manifest.ts";
import { denoConfig, lockedPackages, readme } from "./project_files.ts";
import { runtimeModule } from "./runtime_module.ts";
import { relationsModule, schemaIndex, schemaModule } from "./schema_modules.ts";
import { emitSchemaRegistry } from "./schema_registry.ts";
import { specModule } from "./spec_module.ts";
import { statement } from "./typescript/print.ts";
import { array, call, literal, moduleText, text } from "./typescript/source.ts";

/** Returns all files of the output, sorted by path. */
export function emit(plan: OutputPlan): readonly GeneratedFile[] {
  const locked = lockedPackages(plan);
  const files = [
    { path: "deno.json", content: denoConfig(plan, locked) },
    { path: "deno.lock", content: denoLockText(locked) },
    { path: "README.md", content: readme(plan) },
    ...apiDescriptions(plan.model),
    ...(plan.model.schemaRegistry
      ? [{ path: "schema-registry.json", content: emitSchemaRegistry(plan.model) }]
      : []),
    {
      path: "reports/conformance.manifest.json",
      content: emitConformanceManifest(plan.model, plan.places),
    },
    { path: "reports/operations.manifest.json", content: emitOperationsManifest(plan.model) },
    ...(plan.model.seed ? [{ path: "seed.json", content: jsonFile(plan.model.seed) }] : []),
    ...sources(plan),
    ...authoredFiles(plan),
    ...plan.migration,
    ...plan.platform,
    ...Object.entries(plan.carried).map(([path, content]) => ({ path, content })),
  ].sort((a, b) => compareText(a.path, b.path));
  files.forEach(({ path }, at) => {
    if (files[at + 1]?.path === path) throw new Error(`Two files of the output are '${path}'`);
  });
  return files;
}

/**
 * Returns the API's descriptions. The OpenAPI document is the largest file of the output, so it is built once for all files
 * that depend on it.
 */
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
      // `src/openapi.ts` contains the API descriptions as texts, because a worker has no files.
      ? [{
        path: "src/openapi.ts",
        content: moduleText({
          comment: "The descriptions of this API, as the worker serves them.",
          imports: [],
          statements: [plan.model.openapi.generate ? CARRIED : NONE],
        }),
      }]
      : []),
    ...(relations === null ? [] : [{ path: "src/relations.ts", content: relations }]),
    {
      path: "src/schema/mod.ts",
      content: schemaIndex(plan.specs, { hasRelations: relations !== null }),
    },
    ...plan.specs.flatMap((spec) => [
      { path: `src/resources/${spec.fileName}.ts`, content: specModule(spec, plan) },
      { path: `src/schema/${spec.fileName}.ts`, content: schemaModule(spec, context) },
    ]),
  ];
}

const CARRIED = `import asyncapiDocument from "../asyncapi.json" with { type: "json" };
import openapiDocument from "../openapi.json" with { type: "json" };

export const asyncapi: string | null = JSON.stringify(asyncapiDocument) + "\\n";
export const openapi: string | null = JSON.stringify(openapiDocument) + "\\n";`;

const NONE = `export const asyncapi: string | null = null;
export const openapi: string | null = null;`;

/** Writes `src/project.ts`, which builds the model from the settings and one literal per table. */
function projectModule(plan: OutputPlan): string {
  const { model, specs } = plan;
  const list = array(specs.map(({ identifier }) => text(identifier)));
  return moduleText({
    comment: `The model of ${model.name}: what the runtime obeys.`,
    imports: [
      {
        from: runtimeModule(plan, "./", "model/table_spec.ts"),
        names: ["assembleProject", "type ProjectSettings"],
      },
      ...specs.map(({ fileName, identifier }) => ({
        from: `./resources/${fileName}.ts`,
        names: [identifier],
      })),
    ],
    statements: [
      statement("const settings: ProjectSettings = ", literal(settingsOf(model))),
      statement("export const project = ", call("assembleProject", [text("settings"), list])),
    ],
  });
}

function settingsOf(
  { tables: _tables, resources: _resources, seed: _seed, ...settings }: ProjectModel,
): JsonValue {
  return JSON.parse(JSON.stringify(settings));
}
