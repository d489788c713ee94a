/**
 * Reads `defineRealtime({ <binding>: { <variant>: { keys, audience } } })`: the project's signals and their recipients
 * (contract 6.3).
 */
import { compareText } from "../../../../lib/texts.ts";
import { isObjectMember } from "../../../../lib/object_members.ts";
import { SIGNAL } from "../../../../definition_language/services.ts";
import type { SignalModel } from "../../../../model/mod.ts";
import type { Configuration } from "../config/config.ts";
import type { ObjectEntry, Value } from "../../values.ts";
import { type Fields, readField, readFields } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, below, invalidValue, wrongType } from "../read/reader.ts";
import { readRoles } from "../read/roles.ts";
import type { AuthoredInput } from "./read_authored.ts";

interface SignalsInput extends AuthoredInput {
  readonly config: Pick<Configuration, "model" | "hierarchy">;
}

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const REGISTRY = "defineRealtime";

/** Returns the signals sorted by name; null if part of the registry could not be read. */
export function readSignals(input: SignalsInput): readonly SignalModel[] | null {
  const { definitions, config, report } = input;
  const registries = definitions.authored.flatMap(({ exported, isParsed }) => {
    if (!isParsed) return [null];
    return exported?.kind === "defined" && exported.callee === REGISTRY ? [exported] : [];
  });
  const before = report.errorCount;
  const signals = registries.flatMap((registry) => {
    if (registry === null) return [];
    if (!config.model.realtime.enabled) {
      report.add("REALTIME_OFF", registry.place, { subject: "The realtime registry" });
    }
    const definition = registry.value?.kind === "call" ? registry.value.args[0] : undefined;
    if (definition) {
      const at: At = { path: REGISTRY, report: input.report };
      return namedEntries(definition, at).flatMap((binding) =>
        namedEntries(binding.value, below(at, binding.key)).flatMap((variant) => {
          const place = below(below(at, binding.key), variant.key);
          const name = `${binding.key}.${variant.key}`;
          return readSignal(variant.value, name, place, input) ?? [];
        })
      );
    }
    report.add("ARGUMENTS", registry.place, {
      callee: REGISTRY,
      expected: `${REGISTRY}({ <binding>: { <variant>: { keys, audience } } })`,
    });
    return [];
  });
  const isWhole = report.errorCount === before && !registries.includes(null);
  return isWhole ? signals.sort((a, b) => compareText(a.name, b.name)) : null;
}

function namedEntries(value: Value, at: At): readonly ObjectEntry[] {
  if (value.kind !== "object") {
    wrongType(value, "an object", at);
    return [];
  }
  return value.entries.filter(({ key, keyPlace }) => {
    const isName = NAME.test(key) && !isObjectMember(key);
    if (!isName) at.report.add("SIGNAL_NAME", keyPlace, { name: key });
    return isName;
  });
}

function readSignal(
  value: Value,
  name: string,
  at: At,
  input: SignalsInput,
): SignalModel | undefined {
  const fields = readFields(value, SIGNAL, at);
  if (!fields) return undefined;
  const keys = read(fields, "keys");
  const audience = read(fields, "audience");
  const scope = read(audience, "scope");
  if (!keys || !scope) return undefined;
  checkScope(audience, scope, input);
  for (const { text, place } of keys) {
    if (text === "" || isObjectMember(text)) {
      invalidValue({ kind: "string", value: text, place }, "the name of a member", at);
    }
  }
  const roles = readField(
    audience,
    "roles",
    (list, place) => readRoles(list, input.config.hierarchy, place),
  );
  return {
    name,
    keys: keys.map(({ text }) => text),
    scope,
    roles: roles ?? (audience.entries.has("roles") ? [] : null),
    hasRecipients: hasRecipients(audience),
  };
}

function checkScope(
  { at, entries }: Fields,
  scope: SignalModel["scope"],
  { config: { model: project } }: SignalsInput,
): void {
  const place = entries.get("scope")?.value.place;
  if (!place) return;
  const needsOrganizations = scope === "organization" || scope === "team";
  if (needsOrganizations && !project.multiTenant) {
    at.report.add("SIGNAL_SCOPE_ABSENT", place, { scope });
  }
  if (scope === "all" && project.multiTenant) at.report.add("SIGNAL_SCOPE_EVERYONE", place, {});
}

/** Accepts any expression that makes a function, because the function runs only in the generated API. */
function hasRecipients({ entries, at }: Fields): boolean {
  const entry = entries.get("recipients");
  if (!entry) return false;
  const isCode = ["function", "thunk", "unreadable", "call", "reference"].includes(
    entry.value.kind,
  );
  if (!isCode) wrongType(entry.value, "a function", below(at, "recipients"));
  return true;
}
