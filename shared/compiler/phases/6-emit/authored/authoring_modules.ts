/**
 * Writes `src/authoring/**`, the modules that the author's files import as `quickback`. They are the library with types that
 * depend on the importing file, because an action's file does not name its table and a handler's file does not name its action.
 */
import { typescriptProperty } from "../../../../lib/typescript_text.ts";
import { type ActionModel, sourcePath } from "../../../../model/mod.ts";
import type { GeneratedFile } from "../../../host.ts";
import { kebabCase } from "../../../../surface/mod.ts";
import type { OutputPlan } from "../../5-plan/output_plan.ts";
import { member, moduleText } from "../typescript/source.ts";
import { authoredPath, moduleNames, specifierTo } from "./module_names.ts";
import { carriedModule, runtimeModule } from "../runtime_module.ts";
import { signalMembers, tableMembers } from "./register_members.ts";

const REGISTER_MODULE = "src/authoring/register.ts";

interface AuthoringModules {
  readonly files: readonly GeneratedFile[];
  /** The module that each of the author's files imports as `quickback`, by the file's path. */
  readonly moduleOf: ReadonlyMap<string, string>;
}

export function authoringModules(plan: OutputPlan): AuthoringModules {
  const { model, specs, authored } = plan;
  if (authored.code.length === 0) return { files: [], moduleOf: new Map() };
  const bySpec = new Map(specs.map((spec) => [spec.table.name, spec]));
  const moduleOf = new Map<string, string>();
  const files = new Map<string, string>();
  const give = (file: string, path: string, content: string) => {
    moduleOf.set(file, path);
    files.set(path, content);
  };
  for (const action of model.actions) {
    const spec = action.table === null ? undefined : bySpec.get(action.table);
    if (action.kind !== "record" || action.source.member !== null || !spec) continue;
    give(
      action.source.module,
      `src/authoring/tables/${spec.fileName}.ts`,
      moduleText({
        comment:
          `What actions of table ${spec.table.name} import as quickback: their records are its rows.`,
        imports: [
          {
            from: runtimeModule(plan, "../../", "authoring/action.ts"),
            names: ["defineActionOf", "type DefineAction"],
          },
          { from: `../../schema/${spec.fileName}.ts`, names: [`type ${spec.identifier}`] },
        ],
        statements: [
          library(plan),
          `type Row = typeof ${spec.identifier}.$inferSelect;`,
          "export const defineAction: DefineAction<Row> = defineActionOf<Row>();",
        ],
      }),
    );
  }
  // Finds actions whose handler's file serves no other action: its record and input have their types.
  const users = new Map<string, ActionModel[]>();
  for (const action of model.actions) {
    if (action.handler?.kind !== "module") continue;
    const { module } = action.handler;
    users.set(module, [...(users.get(module) ?? []), action]);
  }
  for (const action of [...users.values()].flatMap((some) => some.length === 1 ? some : [])) {
    if (action.handler?.kind !== "module") continue;
    const path = `src/authoring/handlers/${action.key.split(".").map(kebabCase).join(".")}.ts`;
    give(action.handler.module, path, handlerModule(action, path, plan));
  }
  const register = {
    path: REGISTER_MODULE,
    content: registerModule(plan),
  };
  return {
    files: [register, ...[...files].map(([path, content]) => ({ path, content }))],
    moduleOf,
  };
}

/** Writes the library for a module two folders below `src/`. */
function library(plan: OutputPlan): string {
  const isCarried = plan.runtimeFrom !== "package";
  return `export * from "${
    isCarried ? `../../${carriedModule(plan, "quickback")}` : "quickback"
  }";`;
}

function handlerModule({ key, source }: ActionModel, path: string, plan: OutputPlan): string {
  const from = specifierTo(authoredPath(source.module), path);
  const definition = sourcePath(source).reduce(member, "definition");
  return moduleText({
    comment:
      `What the handler of action ${key} imports as quickback: its record and input are the action's.`,
    imports: [
      { from: runtimeModule(plan, "../../", "authoring/action.ts"), names: ["type ExecutorOf"] },
      {
        from: runtimeModule(plan, "../../", "authoring/handler.ts"),
        names: ["type ActionExecutor as Executor"],
      },
      { from, names: ["type default as definition"] },
    ],
    statements: [
      library(plan),
      `type Given = Parameters<ExecutorOf<typeof ${definition}>>[0];`,
      [
        "export type ActionExecutor<",
        '  Of extends string | object = Given["record"],',
        '  Input = Given["input"],',
        '  Refs = Given["refs"],',
        '> = Executor<Of extends string ? Given["record"] : Of, Input, Refs>;',
      ].join("\n"),
    ],
  });
}

/** Writes the module that registers the project's tables, services and signals with the library's types. */
function registerModule(plan: OutputPlan): string {
  const { model, specs } = plan;
  const { services, jobs = [] } = model.authored;
  const names = moduleNames(REGISTER_MODULE);
  const members = services.map(({ name, module }) => {
    const local = names.nameOf(module, { exported: "default", prefix: "service" });
    return `      readonly ${typescriptProperty(name)}: ServiceOf<typeof ${local}>;`;
  });
  const queues = jobs.map(({ name, module }) => {
    const local = names.nameOf(module, { exported: "default", prefix: "job" });
    return `      readonly ${typescriptProperty(name)}: typeof ${local};`;
  });
  return moduleText({
    comment: "Tells the types of handlers what tables, services and signals this project has.",
    imports: [
      { from: "../schema/mod.ts", names: ["type * as schema"] },
      ...(services.length === 0 ? [] : [{
        from: runtimeModule(plan, "../", "authoring/service.ts"),
        names: ["type ServiceOf"],
      }]),
      ...names.imports().map(({ from, names }) => ({
        from,
        names: names?.map((name) => `type ${name}`) ?? null,
      })),
    ],
    statements: [
      [
        `declare module "${runtimeModule(plan, "../", "authoring/register.ts")}" {`,
        "  interface Register {",
        "    readonly schema: typeof schema;",
        ...tableMembers(specs),
        ...(members.length === 0 ? [] : ["    readonly services: {", ...members, "    };"]),
        ...(queues.length === 0 ? [] : ["    readonly jobs: {", ...queues, "    };"]),
        ...signalMembers(model.realtime.signals),
        "  }",
        "}",
      ].join("\n"),
    ],
  });
}
