/** Reads the author's code outside of features into its model (definitions 6). */
import { BUILT_IN_PROVIDERS } from "../../../../contract/mod.ts";
import { WEBHOOK_PROVIDER } from "../../../../definition_language/services.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { compareText } from "../../../../lib/texts.ts";
import { isObjectMember } from "../../../../lib/object_members.ts";
import type { AuthHooksModel, AuthoredModel, WebhookHandlerModel } from "../../../../model/mod.ts";
import { AUTH_HOOKS } from "../../../../model/mod.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type * as values from "../../values.ts";
import { readJobs } from "./jobs.ts";
import { readFields, requireField } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, described, type Reader, wrongType } from "../read/reader.ts";

export interface AuthoredInput {
  readonly definitions: values.Definitions;
  readonly report: Report;
}

export function readAuthored(input: AuthoredInput): AuthoredModel {
  const { definitions } = input;
  const below = (folder: string) =>
    definitions.authored.filter(({ file }) => file.startsWith(`quickback/${folder}/`));
  // Collects every `onWebhookEvent(…)` of the project (contract 6.2, definitions 6).
  const files = [...input.definitions.code.values()]
    .filter(({ webhookEvents }) => webhookEvents.length > 0)
    .sort((a, b) => a.file < b.file ? -1 : 1);
  const defined = below("services").flatMap((file) => definedIn(file, input));
  return {
    services: distinct(defined, "service", (name, other, { file, report }) => {
      report.add("SERVICE_TWICE", file.place, { name, other });
    }),
    providers: distinct(defined, "provider", (name, other, { file, report }) => {
      report.add("WEBHOOK_PROVIDER_TWICE", file.place, { name, other });
    }),
    realtime: distinct(defined, "realtime", (_name, other, { file, report }) => {
      report.add("REALTIME_TWICE", file.place, { other });
    })[0]?.module ?? null,
    webhookHandlers: files.flatMap((file) =>
      file.webhookEvents.flatMap((call, index) => handlerOf(file, call, index, input))
    ),
    // Each file `middlewares/*.ts` default-exports a Hono middleware. They run in file-name order (definitions 6).
    middlewares: below("middlewares").flatMap(({ file, isParsed, exported }) => {
      // A middleware may be a function or a library's call, such as `timing()`.
      const isCode = exported !== null && ["function", "call", "other"].includes(exported.kind);
      if (isCode) return [file];
      const isHelper = exported === null && importedFiles(definitions).has(file);
      if (!isParsed || isHelper) return [];
      const place = exported?.place ?? { file, line: 1, column: 1, length: 1 };
      input.report.add("MIDDLEWARE_EXPORT", place, { file });
      return [];
    }),
    authHooks: readAuthHooks(below("hooks"), input),
    ...readJobs({ ...input, imported: importedFiles(definitions) }),
  };
}

interface AuthoredDefinition {
  readonly kind: "service" | "provider" | "realtime";
  readonly name: string;
  readonly module: string;
  readonly file: NonNullable<values.AuthoredFile["exported"]>;
  readonly report: Report;
}

function definedIn(file: values.AuthoredFile, input: AuthoredInput): readonly AuthoredDefinition[] {
  const { exported } = file;
  const { report } = input;
  // The file may export a function that verifies the credentials of delegated principals.
  if (exported === null || exported.kind === "function") return [];
  const found = { module: file.file, file: exported, report };
  if (exported.kind === "defined") {
    switch (exported.callee) {
      case "defineService": {
        const name = serviceName(file, report);
        return name === null ? [] : [{ ...found, kind: "service", name }];
      }
      case "defineWebhookProvider": {
        const name = readProvider(exported, report);
        return name === null ? [] : [{ ...found, kind: "provider", name }];
      }
      case "defineRealtime":
        return [{ ...found, kind: "realtime", name: "" }];
      case "onWebhookEvent":
        return [];
    }
  }
  // A file that others import may export anything.
  if (importedFiles(input.definitions).has(file.file)) return [];
  report.add("SERVICE_EXPORT", exported.place, {
    file: file.file,
    construct: constructOf(exported),
  });
  return [];
}

function constructOf(
  exported: Exclude<values.AuthoredExport, { readonly kind: "function" }>,
): string {
  switch (exported.kind) {
    case "defined":
      return `a call of ${exported.callee}()`;
    case "object":
      return "an object";
    default:
      return exported.construct;
  }
}

/** Returns the definitions sorted by name; the first of those that share a name is kept. */
function distinct(
  defined: readonly AuthoredDefinition[],
  kind: AuthoredDefinition["kind"],
  refuse: (name: string, other: string, second: AuthoredDefinition) => void,
): readonly { readonly name: string; readonly module: string }[] {
  const found = new Map<string, string>();
  for (const one of defined.filter((candidate) => candidate.kind === kind)) {
    const other = found.get(one.name);
    if (other === undefined) found.set(one.name, one.module);
    else refuse(one.name, other, one);
  }
  return [...found].map(([name, module]) => ({ name, module }))
    .sort((a, b) => compareText(a.name, b.name));
}

/** Returns the service's name; null if it is wrong, which is reported. */
function serviceName({ file, exported }: values.AuthoredFile, report: Report): string | null {
  const base = file.slice(file.lastIndexOf("/") + 1).replace(/\.[cm]?[jt]sx?$/, "");
  const name = base.replace(/-([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const isName = /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !isObjectMember(name);
  if (isName) return name;
  const place = exported?.place ?? { file, line: 1, column: 1, length: 1 };
  report.add("SERVICE_NAME", place, { name: base });
  return null;
}

const SERVICES = "quickback/services/";
/** Matches a provider's name, a colon and the provider's own name of the event. */
const EVENT_TYPE = /^[a-z][a-z0-9_-]*:[^\s:].*$/;

function handlerOf(
  { file }: values.CodeFile,
  { place, on, binding }: values.WebhookEventCall,
  index: number,
  { report }: AuthoredInput,
): readonly WebhookHandlerModel[] {
  if (!file.startsWith(SERVICES) || binding.kind === "elsewhere") {
    report.add("WEBHOOK_EVENT_PLACE", place, {});
    return [];
  }
  if (on?.kind === "string" && EVENT_TYPE.test(on.value)) {
    return [{ on: on.value, module: file, index }];
  }
  const found = on === null ? "an unnamed type" : described(on);
  report.add("WEBHOOK_EVENT_TYPE", on?.place ?? place, { found });
  return [];
}

const PATH = "quickback/hooks/auth.ts";

/** Reads `hooks/auth.ts`: account life-cycle hooks, exported one by one or as one object (definitions 6). */
function readAuthHooks(
  files: readonly values.AuthoredFile[],
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

function hooksIn(exported: values.AuthoredExport, input: AuthoredInput): readonly Hook[] {
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
    readonly place: values.AuthoredExport["place"];
    readonly isNamed: boolean;
  },
  { report }: AuthoredInput,
): readonly Hook[] {
  const known = AUTH_HOOKS.find((hook) => hook === name);
  if (known !== undefined) return [{ name: known, isNamed }];
  report.add("AUTH_HOOK_UNKNOWN", place, { hook: name, nearest: nearest(name, AUTH_HOOKS) });
  return [];
}

/**
 * Returns the names of all providers that the project defines; null if one of them was reported, so that names may be missing.
 */
export function providerNames(
  { providers }: AuthoredModel,
  { authored }: values.Definitions,
): readonly string[] | null {
  const defined = authored.filter(({ isParsed, exported }) =>
    !isParsed || (exported?.kind === "defined" && exported.callee === "defineWebhookProvider")
  );
  return defined.length === providers.length ? providers.map(({ name }) => name) : null;
}

/** Returns the provider's name; null if it is wrong, which is reported. */
function readProvider(
  { value, place }: values.AuthoredExport & { readonly kind: "defined" },
  report: Report,
): string | null {
  const at: At = { path: "defineWebhookProvider", report };
  const definition = value?.kind === "call" ? value.args[0] : undefined;
  if (!definition) {
    report.add("ARGUMENTS", place, { callee: at.path, expected: `${at.path}({ name, … })` });
    return null;
  }
  const fields = readFields(definition, WEBHOOK_PROVIDER, at);
  if (!fields) return null;
  const name = read(fields, "name") ?? null;
  read(fields, "signatureHeader");
  requireField(fields, "verifySignature", readCode);
  requireField(fields, "parseEvent", readCode);
  const organizationOf = fields.entries.get("organizationOf");
  if (organizationOf) readCode(organizationOf.value, { ...at, path: `${at.path}.organizationOf` });
  const builtIn: readonly string[] = BUILT_IN_PROVIDERS;
  const entry = fields.entries.get("name");
  if (name === null || !builtIn.includes(name) || !entry) return name;
  report.add("WEBHOOK_PROVIDER_NAME", entry.value.place, { name });
  return null;
}

/** Accepts any expression that makes a function, because the function runs only in the generated API. */
const readCode: Reader<true> = (value: values.Value, at: At) => {
  const isCode = ["function", "thunk", "unreadable", "call", "reference"].includes(value.kind);
  return isCode ? true : wrongType(value, "a function", at);
};

function importedFiles({ code }: values.Definitions): ReadonlySet<string> {
  return new Set(
    [...code.values()].flatMap(({ imports }) =>
      imports.flatMap(({ target }) => target.kind === "file" ? [target.file] : [])
    ),
  );
}

const NEVER_IMPORTED = /^quickback\/(?:plugins\/|seed\.ts$)/;

/** Warns of code that nothing uses. `modules` are the files in which the project's own code begins. */
export function warnUnused(
  modules: readonly string[],
  { definitions, report }: AuthoredInput,
): void {
  const used = new Set([...modules, ...importedFiles(definitions)]);
  const broken = new Set(report.filesWithErrors);
  for (const { file } of definitions.authored) {
    if (used.has(file) || broken.has(file) || NEVER_IMPORTED.test(file)) continue;
    report.add("AUTHORED_UNUSED", { file, line: 1, column: 1, length: 1 }, { file });
  }
}
