/** The author's code outside of features as its model (definitions 6). */
import { compareText } from "../../../../lib/texts.ts";
import type { AuthoredModel } from "../../../../model/authored.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { AuthoredExport, AuthoredFile, Definitions } from "../../values.ts";
import { readAuthHooks } from "./auth_hooks.ts";
import { readMiddlewares } from "./middlewares.ts";
import { readProvider } from "./webhook_provider.ts";
import { readWebhookHandlers } from "./webhook_handlers.ts";
import { serviceName } from "./service_name.ts";
import { importedFiles } from "./unused.ts";

export interface AuthoredInput {
  readonly definitions: Definitions;
  readonly report: Report;
}

export function readAuthored(input: AuthoredInput): AuthoredModel {
  const { definitions } = input;
  const below = (folder: string) =>
    definitions.authored.filter(({ file }) => file.startsWith(`quickback/${folder}/`));
  return {
    ...readServices(below("services"), input),
    webhookHandlers: readWebhookHandlers(input),
    middlewares: readMiddlewares(below("middlewares"), input),
    authHooks: readAuthHooks(below("hooks"), input),
  };
}

type Services = Pick<AuthoredModel, "services" | "providers" | "realtime">;

function readServices(files: readonly AuthoredFile[], input: AuthoredInput): Services {
  const defined = files.flatMap((file) => definedIn(file, input));
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
  };
}

interface AuthoredDefinition {
  readonly kind: "service" | "provider" | "realtime";
  readonly name: string;
  readonly module: string;
  readonly file: NonNullable<AuthoredFile["exported"]>;
  readonly report: Report;
}

function definedIn(file: AuthoredFile, input: AuthoredInput): readonly AuthoredDefinition[] {
  const { exported } = file;
  const { report } = input;
  // A function may verify the credentials of delegated principals.
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
  // What others import may be anything.
  if (importedFiles(input.definitions).has(file.file)) return [];
  report.add("SERVICE_EXPORT", exported.place, {
    file: file.file,
    construct: constructOf(exported),
  });
  return [];
}

function constructOf(exported: Exclude<AuthoredExport, { readonly kind: "function" }>): string {
  switch (exported.kind) {
    case "defined":
      return `a call of ${exported.callee}()`;
    case "object":
      return "an object";
    default:
      return exported.construct;
  }
}

/** Sorted by name; the first of those that share one stands. */
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
