/** `src/actions.ts`: the author's code of every action by the action's key. */
import { type ActionModel, sourcePath } from "../../../../model/action.ts";
import { type Import, moduleText } from "../typescript/module.ts";
import { statement } from "../typescript/print.ts";
import { member, object, type Source, text } from "../typescript/source.ts";
import { authoredPath, specifierTo } from "./output_paths.ts";

export const ACTIONS_MODULE = "src/actions.ts";

export function actionsModule(actions: readonly ActionModel[]): string {
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
        from: "./quickback/surface/action_implementation.ts",
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

/** Named exports are imported as `execute`, everything else is a default. */
function importOf(key: string, local: string): Import {
  const [module = "", name = ""] = key.split("\n");
  const exported = name === "execute" ? "execute" : "default";
  const from = specifierTo(authoredPath(module), ACTIONS_MODULE);
  return { from, names: [`${exported} as ${local}`] };
}
