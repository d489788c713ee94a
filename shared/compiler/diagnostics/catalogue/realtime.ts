/** Phase 4: realtime of resources, and the registry of signals (contract 6.3, definitions 4, 6). */
import { quote } from "../quote.ts";
import { row } from "../row.ts";
import { didYouMean } from "../wording.ts";

export const REALTIME = {
  REALTIME_WITHOUT_READ: row<{ resource: string }>({
    severity: "error",
    section: "definitions 4",
    title: "A resource has realtime and nobody may read it",
    message: ({ resource }) => `Resource ${quote(resource)} has realtime, and no read`,
    hint: () => "A frame shows what a read would: add read.access, or remove realtime",
  }),
  REALTIME_ROLE_OUTSIDE: row<{ role: string; allowed: string }>({
    severity: "error",
    section: "definitions 4",
    title: "Realtime admits a role that may not read the resource",
    message: ({ role, allowed }) =>
      `Role ${quote(role)} is not among the read roles of the resource: ${allowed}`,
    hint: () => "Add it to read.access, or remove it here",
  }),
  REALTIME_FIELD_HIDDEN: row<{ field: string }>({
    severity: "warning",
    section: "definitions 4",
    title: "Realtime lists a column that none of its listeners sees plain",
    message: ({ field }) => `Column ${quote(field)} is masked in every frame`,
    hint: () => "Remove it from realtime.fields, or show it to one of the roles",
  }),
  REALTIME_OFF: row<{ subject: string }>({
    severity: "warning",
    section: "definitions 2",
    title: "Something is realtime while the project is not",
    message: ({ subject }) => `${subject} reaches nobody: realtime.enabled is off`,
    hint: () => "Set realtime: { enabled: true } in the configuration",
  }),
  PUSH_OFF: row<Record<never, never>>({
    severity: "warning",
    section: "definitions 7",
    title: "Messages are pushed that nobody can subscribe to",
    message: () => "sendPush reaches nobody: realtime.push is off",
    hint: () => "Set realtime: { push: true } in the configuration",
  }),
  SIGNAL_NAME: row<{ name: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A binding or variant of the realtime registry has a name that no handler could call",
    message: ({ name }) => `${quote(name)} is no name for a binding or variant`,
    hint: () => "Use letters, digits and _, a letter first",
  }),
  SIGNAL_UNKNOWN: row<{ signal: string; nearest: string | null }>({
    severity: "error",
    section: "contract 6.3",
    title: "An action invalidates what the realtime registry does not have",
    message: ({ signal }) => `The realtime registry has no ${quote(signal)}`,
    hint: ({ nearest }) =>
      didYouMean({ nearest }) ??
        "Define it in quickback/services/realtime.ts: defineRealtime({ <binding>: { <variant>: { keys, audience } } })",
  }),
  SIGNAL_SCOPE_ABSENT: row<{ scope: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A signal's audience is a scope that the project does not have",
    message: ({ scope }) => `Scope ${quote(scope)} needs organizations, and the project has none`,
    hint: () => 'Use "user" or "all", or set features.organizations to true',
  }),
  SIGNAL_SCOPE_EVERYONE: row<Record<never, never>>({
    severity: "error",
    section: "contract 6.3",
    title: "A signal of a project with organizations would reach all of them",
    message: () => 'Scope "all" would reach every organization',
    hint: () => 'Use "organization", "team" or "user"',
  }),
} as const;
