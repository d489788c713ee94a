/** Writes the members of the register that an output shares with an editor's declarations: tables and signals. */
import { typescriptProperty, typescriptString } from "../../../../lib/typescript_text.ts";
import type { SignalModel } from "../../../../model/mod.ts";
import { kebabCase } from "../../../../surface/mod.ts";
import type { SpecPlan } from "../../5-plan/output_plan.ts";

/** Returns every table by its author's name, and by its name in URLs, which definitions accept with a warning. */
export function tableMembers(specs: readonly SpecPlan[]): readonly string[] {
  const names = specs.map(({ table }) => table.name);
  const others = names.map(kebabCase).filter((name) => !names.includes(name));
  return [
    ...(others.length === 0
      ? []
      : [`    readonly urlNames: ${others.map(typescriptString).join(" | ")};`]),
    "    readonly tables: {",
    ...specs.map(({ table, identifier }) =>
      `      readonly ${typescriptProperty(table.name)}: typeof schema.${identifier};`
    ),
    "    };",
  ];
}

/** Returns the signals. A payload may contain more than the keys that are sent. */
export function signalMembers(signals: readonly SignalModel[]): readonly string[] {
  const bindings = new Map<string, string[]>();
  for (const { name, keys } of signals) {
    const [binding = "", variant = ""] = name.split(".");
    const payload = keys.map((key) => `readonly ${typescriptProperty(key)}: unknown; `).join("");
    const signal = `        ${
      typescriptProperty(variant)
    }(payload: { ${payload}readonly [more: string]: unknown }): void;`;
    bindings.set(binding, [...(bindings.get(binding) ?? []), signal]);
  }
  const members = [...bindings].flatMap(([binding, variants]) => [
    `      readonly ${typescriptProperty(binding)}: {`,
    ...variants,
    "      };",
  ]);
  return members.length === 0 ? [] : ["    readonly signals: {", ...members, "    };"];
}
