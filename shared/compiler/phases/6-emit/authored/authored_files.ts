/**
 * Writes the author's code into the output, with the modules around it that make its imports resolve and give it the project's
 * types.
 */
import { typescriptString } from "../../../../lib/typescript_text.ts";
import { type ActionModel, sourcePath } from "../../../../model/mod.ts";
import type { FileOrigin, GeneratedFile } from "../../../host.ts";
import type { OutputPlan, SpecPlan } from "../../5-plan/output_plan.ts";
import type { CodeFile, CodeImport, TextRange } from "../../values.ts";
import { statement } from "../typescript/print.ts";
import type { Import, Source } from "../typescript/source.ts";
import { array, member, moduleText, object, string, text } from "../typescript/source.ts";
import { runtimeModule } from "../runtime_module.ts";
import { authoringModules } from "./authoring_modules.ts";
import type { ModuleNames } from "./module_names.ts";
import { authoredPath, moduleNames, schemaPath, specifierTo } from "./module_names.ts";

export function authoredFiles(plan: OutputPlan): readonly GeneratedFile[] {
  const { authored, specs } = plan;
  const authoring = authoringModules(plan);
  const specOf = (path: string) => {
    const name = authored.tables.get(path);
    return specs.find(({ table }) => table.name === name) ?? null;
  };
  const names = moduleNames(SERVICES_MODULE);
  const code = object(membersOf(plan, names));
  const imports = names.imports();
  return [
    { path: ACTIONS_MODULE, content: actionsModule(plan) },
    {
      path: SERVICES_MODULE,
      content: moduleText({
        comment: "The author's code outside of features: services, webhooks, middlewares, hooks.",
        imports: [
          {
            from: runtimeModule(plan, "./", "surface/authored_code.ts"),
            names: ["type AuthoredCode"],
          },
          ...(imports.length > 0 ? [{ from: "./authoring/register.ts", names: null }] : []),
          ...imports,
        ],
        statements: [statement("export const authored: AuthoredCode = ", code)],
      }),
    },
    ...authoring.files,
    ...authored.code.map((file) =>
      carriedCode(file, authoring.moduleOf.get(file.file) ?? null, specOf(file.file))
    ),
    ...[...authored.texts].map(([path, content]) => ({ path: authoredPath(path), content })),
    ...[...authored.schemas].map(([feature, files]) => ({
      path: schemaPath(feature),
      content: schemaModule(files, plan),
    })),
  ];
}

/** Writes `../schema` of a feature: the exports of its table files, and the tables under their own names. */
function schemaModule(files: readonly CodeFile[], { authored }: OutputPlan): string {
  const taken = new Set(["default"]);
  const statements = files.map(({ file, exports }) => {
    const table = authored.tables.get(file);
    const names = [...new Set([...(table === undefined ? [] : [table]), ...exports])]
      .filter((name) => !taken.has(name));
    for (const name of names) taken.add(name);
    const base = file.slice(file.lastIndexOf("/") + 1);
    return `export { ${names.sort().join(", ")} } from "./${base}";`;
  });
  return moduleText({
    comment: "All tables of the feature.",
    imports: [],
    statements: [statements.join("\n")],
  });
}

/** Path of `src/actions.ts`, which maps every action's key to the author's code. */
const ACTIONS_MODULE = "src/actions.ts";

function actionsModule(plan: OutputPlan): string {
  const { actions } = plan.model;
  const modules = new Map<string, string>();
  const nameOf = (module: string, name: string) => {
    const key = `${module}\n${name}`;
    const known = modules.get(key) ?? `${name}${modules.size + 1}`;
    modules.set(key, known);
    return known;
  };
  const entries = actions.map((action): readonly [string, Source] => [
    action.key,
    implementation(action, nameOf),
  ]);
  return moduleText({
    comment: "The author's code of every action, by the action's key.",
    imports: [
      {
        from: runtimeModule(plan, "./", "surface/action_implementation.ts"),
        names: ["type ActionImplementations"],
      },
      ...(actions.length > 0 ? [{ from: "./authoring/register.ts", names: null }] : []),
      ...[...modules].map(([key, name]) => importOf(key, name)),
    ],
    statements: [
      'export * as schema from "./schema/mod.ts";',
      statement("export const actions: ActionImplementations = ", object(entries)),
    ],
  });
}

function implementation(
  { source, handler }: ActionModel,
  nameOf: (module: string, name: string) => string,
): Source {
  const module = nameOf(source.module, "action");
  const definition = sourcePath(source).reduce(member, module);
  const execute = handler === null
    ? "null"
    : handler.kind === "inline"
    ? `${definition}.execute ?? null`
    : nameOf(handler.module, handler.export === "default" ? "handler" : "execute");
  return object([
    ["execute", text(execute)],
    ["input", text(`${definition}.input`)],
    ["output", text(`${definition}.output ?? null`)],
  ]);
}

/** Returns the import of an action's code. An export named `execute` is imported by name; any other is the default export. */
function importOf(key: string, local: string): Import {
  const [module = "", name = ""] = key.split("\n");
  const exported = name === "execute" ? "execute" : "default";
  const from = specifierTo(authoredPath(module), ACTIONS_MODULE);
  return { from, names: [`${exported} as ${local}`] };
}

/** Path of `src/services.ts`, which passes the author's code outside of features to the runtime (definitions 6). */
const SERVICES_MODULE = "src/services.ts";

function membersOf(
  { model, authored: { code } }: OutputPlan,
  names: ModuleNames,
): readonly (readonly [string, Source])[] {
  const {
    services,
    providers,
    webhookHandlers,
    middlewares,
    realtime,
    jobs = [],
    recordHooks = [],
  } = model.authored;
  const whole = (module: string, prefix: string) =>
    text(names.nameOf(module, { exported: "default", prefix }));
  return [
    [
      "services",
      object(services.map(({ name, module }) => [name, whole(module, "service")])),
    ],
    ["webhookProviders", array(providers.map(({ module }) => whole(module, "provider")))],
    [
      "webhookHandlers",
      array(webhookHandlers.map(({ module, index }) => {
        const file = code.find((candidate) => candidate.file === module);
        if (!file) throw new Error(`Module '${module}' is not part of the output`);
        return text(names.nameOf(module, { exported: eventExport(file, index), prefix: "event" }));
      })),
    ],
    [
      "middlewares",
      array(
        middlewares.map((file) =>
          object([["file", string(file)], ["handle", whole(file, "middleware")]])
        ),
      ),
    ],
    ["authHooks", object(hooksOf(model.authored.authHooks, names))],
    [
      "verifiers",
      object(
        distinctBy(model.auth.principals, ({ module }) => module).map((principal) => {
          const { module, export: exported } = principal;
          return [module, text(names.nameOf(module, { exported, prefix: "verifier" }))];
        }),
      ),
    ],
    ["realtime", realtime === null ? text("null") : whole(realtime, "realtime")],
    ...(jobs.length === 0 ? [] : [
      [
        "jobs",
        object(jobs.map(({ name, module }) => [name, whole(module, "job")])),
      ] as const,
    ]),
    ...(recordHooks.length === 0 ? [] : [
      [
        "recordHooks",
        object(recordHooks.map(({ table, module }) => [
          table,
          object([["file", string(module)], ["hooks", whole(module, "recordHooks")]]),
        ])),
      ] as const,
    ]),
  ];
}

function hooksOf(
  hooks: OutputPlan["model"]["authored"]["authHooks"],
  names: ModuleNames,
): readonly (readonly [string, Source])[] {
  if (hooks === null) return [];
  const { module } = hooks;
  return hooks.hooks.map(({ name, isNamed }) => {
    const exported = isNamed ? name : "default";
    const local = names.nameOf(module, { exported, prefix: "hook" });
    return [name, text(isNamed ? local : member(local, name))];
  });
}

function distinctBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

interface Edit {
  readonly range: TextRange;
  readonly text: string;
}

function carriedCode(
  file: CodeFile,
  authoring: string | null,
  spec: SpecPlan | null,
): Required<GeneratedFile> {
  const path = authoredPath(file.file);
  const imports = file.imports.flatMap((one): Edit[] => {
    const specifier = specifierOf(one, path, authoring);
    return specifier === null ? [] : [{ range: one.range, text: typescriptString(specifier) }];
  });
  if (spec === null) return edited(file, withWebhookEvents(file, { path, edits: imports }));
  let name = "generatedTable";
  while (file.locals.has(name)) name = `${name}_`;
  const calls = file.tableCalls.map((range): Edit => ({ range, text: name }));
  // Imports inside a replaced declaration are removed with it.
  const outside = imports.filter(({ range }) =>
    !calls.some((call) => call.range.start <= range.start && range.end <= call.range.end)
  );
  const module = specifierTo(`src/schema/${spec.fileName}.ts`, path);
  const first = `import { ${spec.identifier} as ${name} } from ${typescriptString(module)};\n`;
  const last = file.exports.has(spec.table.name)
    ? ""
    : `\nexport { ${name} as ${spec.table.name} };\n`;
  return edited(file, { path, edits: [...outside, ...calls], first, last });
}

/** Turns each `onWebhookEvent(…)` into an export that `src/services.ts` collects. */
function withWebhookEvents(file: CodeFile, { path, edits }: Edits): Edits {
  const { webhookEvents } = file;
  const begun = webhookEvents.flatMap(({ binding }, index): Edit[] => {
    if (binding.kind !== "statement") return [];
    const { start } = binding.range;
    return [{ range: { start, end: start }, text: `export const ${eventExport(file, index)} = ` }];
  });
  const last = webhookEvents.flatMap(({ binding }, index) =>
    binding.kind === "constant"
      ? [`\nexport { ${binding.name} as ${eventExport(file, index)} };\n`]
      : []
  );
  return { path, edits: [...begun, ...edits], last: last.join("") };
}

/** Returns the name of the export of a file's `onWebhookEvent(…)`. */
function eventExport({ webhookEvents, locals, exports }: CodeFile, index: number): string {
  if (webhookEvents[index]?.binding.kind === "default") return "default";
  let name = `webhookEvent${index + 1}`;
  while (locals.has(name) || exports.has(name)) name = `${name}_`;
  return name;
}

function specifierOf(
  { target }: CodeImport,
  path: string,
  authoring: string | null,
): string | null {
  switch (target.kind) {
    case "file":
      return specifierTo(authoredPath(target.file), path);
    case "schema":
      return specifierTo(schemaPath(target.feature), path);
    case "authoring":
      return authoring === null ? null : specifierTo(authoring, path);
    default:
      return null;
  }
}

interface Edits {
  readonly path: string;
  /** Edits, whose ranges do not overlap. */
  readonly edits: readonly Edit[];
  /** Text before the author's code; `last` is the text after it. */
  readonly first?: string;
  readonly last?: string;
}

function edited(
  { file, text }: CodeFile,
  { path, edits, first = "", last = "" }: Edits,
): Required<GeneratedFile> {
  const pieces: FileOrigin["pieces"][number][] = [];
  let [content, source] = [first, 0];
  const keep = (end: number) => {
    pieces.push({ output: content.length, source, length: end - source });
    content += text.slice(source, end);
  };
  const inOrder = edits.toSorted((a, b) => a.range.start - b.range.start);
  for (const { range, text: replacement } of inOrder) {
    keep(range.start);
    content += replacement;
    source = range.end;
  }
  keep(text.length);
  return { path, content: content + last, origin: { file, text, pieces } };
}
