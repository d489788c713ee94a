/** `src/services.ts`: the author's code outside of features, as the runtime takes it (definitions 6). */
import type { OutputPlan } from "../../5-plan/output_plan.ts";
import { moduleText } from "../typescript/module.ts";
import { statement } from "../typescript/print.ts";
import { array, member, object, type Source, string, text } from "../typescript/source.ts";
import { eventExport } from "./carried_code.ts";
import { type ModuleNames, moduleNames } from "./module_names.ts";

export const SERVICES_MODULE = "src/services.ts";

export function servicesModule(plan: OutputPlan): string {
  const names = moduleNames(SERVICES_MODULE);
  const code = object(membersOf(plan, names));
  const imports = names.imports();
  return moduleText({
    comment: "The author's code outside of features: services, webhooks, middlewares, hooks.",
    imports: [
      { from: "./quickback/surface/authored_code.ts", names: ["type AuthoredCode"] },
      ...(imports.length > 0 ? [{ from: "./authoring/register.ts", names: null }] : []),
      ...imports,
    ],
    statements: [statement("export const authored: AuthoredCode = ", code)],
  });
}

function membersOf(
  { model, authored: { code } }: OutputPlan,
  names: ModuleNames,
): readonly (readonly [string, Source])[] {
  const { services, providers, webhookHandlers, middlewares, realtime } = model.authored;
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
