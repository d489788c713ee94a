/** Builds the first entry of an API's log: the started project, its database and its options (definitions 8). */
import { VERSION } from "../contract/mod.ts";
import { hasJobs, keepsHistory, type ProjectModel, receives } from "../model/mod.ts";
import type { LogEntry } from "./ports.ts";

export function startEntry(project: ProjectModel, facts: {
  /** Place of the database, without its credentials. */
  readonly database: string;
  /** Topology in the guide's words: a file, a server, a server with a copy. */
  readonly topology: string;
  /** Number of all migrations, and of those that this start applied. */
  readonly migrations: number;
  readonly applied: number;
  /** Names of the options that the environment switches on. */
  readonly switches: readonly string[];
}): LogEntry {
  const { name, contract } = project;
  const { database, topology, migrations, applied, switches } = facts;
  return {
    level: "info",
    message: `Starting ${name} on ${database}`,
    fields: {
      version: VERSION,
      project: name,
      contract,
      database,
      topology,
      migrations,
      migrationsAppliedNow: applied,
      features: featuresOf(project).join(", "),
      switches: switches.join(", "),
    },
  };
}

function featuresOf(project: ProjectModel): readonly string[] {
  const { auth, webhooks, realtime, agents, openapi } = project;
  const features: Readonly<Record<string, boolean>> = {
    organizations: project.multiTenant,
    tokens: auth.jwt !== null,
    "outbound webhooks": webhooks.outbound,
    "inbound webhooks": receives(webhooks),
    realtime: realtime.enabled,
    push: realtime.push,
    jobs: hasJobs(project),
    schedules: (project.authored.schedules ?? []).length > 0,
    "history of records": keepsHistory(project),
    mcp: agents.mcp,
    oauth: agents.oauth === true,
    changeset: project.changeset,
    description: openapi.generate && openapi.publish !== false,
    docs: openapi.docs !== false,
  };
  return Object.keys(features).filter((name) => features[name]);
}
