/** `hooks/auth.ts`: account life-cycle hooks, exported one by one or as one object (definitions 6). */
import { compareText } from "../../../../lib/texts.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { AUTH_HOOKS, type AuthHooksModel } from "../../../../model/authored.ts";
import type { AuthoredExport, AuthoredFile } from "../../values.ts";
import type { AuthoredInput } from "./read_authored.ts";

const PATH = "quickback/hooks/auth.ts";

export function readAuthHooks(
  files: readonly AuthoredFile[],
  input: AuthoredInput,
): AuthHooksModel | null {
  const found = files.find(({ file }) => file === PATH);
  const code = input.definitions.code.get(PATH);
  if (!found || !code) return null;
  const place = { file: PATH, line: 1, column: 1, length: 1 };
  const named = [...code.exports].filter((name) => name !== "default")
    .flatMap((name) => hookOf({ name, place, isNamed: true }, input));
  const inDefault = found.exported === null ? [] : hooksIn(found.exported, input);
  for (const { name } of named.filter((one) => inDefault.some(({ name }) => name === one.name))) {
    input.report.add("AUTH_HOOK_TWICE", place, { hook: name });
  }
  const hooks = [...named, ...inDefault].sort((a, b) => compareText(a.name, b.name));
  return { module: PATH, hooks };
}

type Hook = AuthHooksModel["hooks"][number];

function hooksIn(exported: AuthoredExport, input: AuthoredInput): readonly Hook[] {
  if (exported.kind === "object" && exported.value.kind === "object") {
    return exported.value.entries.flatMap(({ key: name, keyPlace: place }) =>
      hookOf({ name, place, isNamed: false }, input)
    );
  }
  const construct = "construct" in exported ? exported.construct : "no plain object";
  input.report.add("AUTH_HOOK_EXPORT", exported.place, { construct });
  return [];
}

function hookOf(
  { name, place, isNamed }: {
    readonly name: string;
    readonly place: AuthoredExport["place"];
    readonly isNamed: boolean;
  },
  { report }: AuthoredInput,
): readonly Hook[] {
  const known = AUTH_HOOKS.find((hook) => hook === name);
  if (known !== undefined) return [{ name: known, isNamed }];
  report.add("AUTH_HOOK_UNKNOWN", place, { hook: name, nearest: nearest(name, AUTH_HOOKS) });
  return [];
}
