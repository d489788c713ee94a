/** What the account library is told of the sample project, for tests that look at the library itself. */
import { authOptions } from "../../shared/accounts/auth_options.ts";
import type { Database } from "../../shared/runtime/ports.ts";
import { limiterOf } from "./limiter.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { project as sample } from "./sample_project.ts";

export function sampleAuthOptions(database: Database, project: ProjectModel = sample) {
  return authOptions({
    tasks: new Set(),
    members: () => null,
    isSignedIn: () => Promise.resolve(false),
    project,
    database,
    settings: {
      baseUrl: "http://localhost:8000",
      authSecret: new Uint8Array(32),
      production: false,
    },
    detached: (run) => run(),
    limiter: limiterOf(() => Promise.resolve(true)),
    logger: { log: () => {} },
    email: { send: () => Promise.resolve() },
    sysadminEmails: [],
    watch: () => null,
    secret: "x".repeat(43),
    secrets: [{ version: 1, value: "x".repeat(43) }],
    hooks: { before: () => Promise.resolve(null), after: () => Promise.resolve() },
    createKey: () => Promise.reject(new Error("Not called")),
  });
}
