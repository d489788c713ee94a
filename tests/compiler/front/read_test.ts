import { assertEquals } from "@std/assert";
import { Report } from "../../../shared/compiler/diagnostics/report.ts";
import { read, requireConfig } from "../../../shared/compiler/phases/1-read/read.ts";
import type { FileRole } from "../../../shared/compiler/phases/1-read/layout.ts";

const ROLES: readonly (readonly [path: string, role: FileRole])[] = [
  ["quickback/quickback.config.ts", { kind: "config" }],
  ["quickback/features/jobs/jobs.ts", { kind: "table", feature: "jobs" }],
  ["quickback/features/ats-imports/atsImports.ts", { kind: "table", feature: "ats-imports" }],
  ["quickback/features/jobs/actions.ts", { kind: "action", feature: "jobs", table: null }],
  ["quickback/features/jobs/actions/close.ts", { kind: "action", feature: "jobs", table: null }],
  [
    "quickback/features/jobs/actions/sites/close.ts",
    { kind: "action", feature: "jobs", table: "sites" },
  ],
  ["quickback/features/jobs/handlers/close.ts", { kind: "handler", feature: "jobs" }],
  ["quickback/features/jobs/lib/deep/limits.ts", { kind: "lib", feature: "jobs" }],
  ["quickback/features/jobs/README.md", { kind: "support" }],
  ["quickback/lib/roles.ts", { kind: "lib", feature: null }],
  ["quickback/services/mailer.ts", { kind: "service" }],
  ["quickback/hooks/auth.ts", { kind: "support" }],
  ["quickback/email-templates/welcome.tsx", { kind: "support" }],
  ["quickback/drizzle/features/meta/_journal.json", { kind: "migrationState" }],
  ["wrangler.toml", { kind: "wrangler" }],
];

Deno.test("a file's role follows from its path", () => {
  for (const [path, role] of ROLES) {
    const report = new Report();
    const sources = read({ [path]: "" }, report);
    assertEquals([sources[0]?.role, report.errors], [role, []], path);
  }
});

const REFUSED: readonly (readonly [path: string, code: string, hint?: string])[] = [
  ["../quickback/features/jobs/jobs.ts", "PATH_SEGMENT_INVALID"],
  ["quickback/features/../jobs.ts", "PATH_SEGMENT_INVALID"],
  ["/etc/passwd", "PATH_SEGMENT_INVALID"],
  ["quickback\\features\\jobs\\jobs.ts", "PATH_SEGMENT_INVALID"],
  ["quickback/features/jobs/a b.ts", "PATH_SEGMENT_INVALID"],
  ["quickback/features/jobs/jöbs.ts", "PATH_SEGMENT_INVALID"],
  ["quickback/features//jobs.ts", "PATH_SEGMENT_INVALID"],
  ["quickback/lib/jobs.ts.", "PATH_SEGMENT_INVALID"],
  ["quickback/lib/jobs./a.ts", "PATH_SEGMENT_INVALID"],
  [`quickback/lib/${"a".repeat(256)}`, "PATH_SEGMENT_INVALID"],
  [`quickback/lib/${"a/".repeat(250)}a.ts`, "PATH_TOO_LONG"],
  ["", "PATH_SEGMENT_INVALID"],
  ["package.json", "PATH_REFUSED"],
  ["src/index.ts", "PATH_REFUSED"],
  ["quickback/secrets.ts", "PATH_REFUSED"],
  ["quickback/quickback.confg.ts", "PATH_REFUSED", 'Did you mean "quickback.config.ts"?'],
  ["quickback/feature/jobs/jobs.ts", "PATH_REFUSED", 'Did you mean "features"?'],
  ["quickback/features/jobs.ts", "PATH_REFUSED"],
  ["quickback/drizzle/features/0000_a.sql", "PATH_REFUSED"],
  ["quickback/features/JobPosts/jobs.ts", "FEATURE_NAME_INVALID", 'Rename it to "job-posts"'],
  ["quickback/features/job_posts/jobs.ts", "FEATURE_NAME_INVALID", 'Rename it to "job-posts"'],
  ["quickback/features/jobs/jobs.js", "FEATURE_FILE_REFUSED"],
  ["quickback/features/jobs/action/close.ts", "FEATURE_FILE_REFUSED", 'Did you mean "actions"?'],
  ["quickback/features/jobs/actions/a/b/c.ts", "FEATURE_FILE_REFUSED"],
];

Deno.test("a path outside the layout is refused with its reason", () => {
  for (const [path, code, hint] of REFUSED) {
    const report = new Report();
    const sources = read({ [path]: "" }, report);
    const [error, ...others] = report.errors;
    assertEquals([error?.code, error?.place.file, others.length], [code, path, 0], path);
    assertEquals(sources[0]?.role, { kind: "refused" });
    if (hint !== undefined) assertEquals(error?.hint, hint);
  }
});

Deno.test("a project is asked for its configuration", () => {
  const faultsOf = (files: Readonly<Record<string, string>>) => {
    const report = new Report();
    requireConfig(read(files, report), report);
    return report.errors.map(({ code, place }) => [code, place.file]);
  };
  const config = "quickback/quickback.config.ts";
  assertEquals(faultsOf({ "wrangler.toml": "" }), [["CONFIG_MISSING", config]]);
  assertEquals(faultsOf({ [config]: "" }), []);
});

Deno.test("files come in path order, without byte order marks, whatever the order of the input", () => {
  const files = { "wrangler.toml": "", "quickback/lib/b.ts": "\uFEFFb", "quickback/lib/a.ts": "a" };
  const backwards = Object.fromEntries(Object.entries(files).reverse());
  const sources = read(files, new Report());
  assertEquals(sources.map(({ text }) => text), ["a", "b", ""]);
  assertEquals(read(backwards, new Report()), sources);
});

const COLLIDING: readonly (readonly [paths: readonly string[], told: readonly string[]])[] = [
  [["quickback/lib/a.ts", "quickback/lib/A.ts"], [
    'quickback/lib/a.ts Path "quickback/lib/a.ts" collides with "quickback/lib/A.ts"',
  ]],
  [["quickback/lib/a", "quickback/lib/A/b.ts"], [
    'quickback/lib/a Path "quickback/lib/a" collides with "quickback/lib/A/b.ts"',
  ]],
  [["quickback/lib/a", "quickback/lib/a/b.ts"], [
    'quickback/lib/a/b.ts Path "quickback/lib/a/b.ts" collides with "quickback/lib/a"',
  ]],
  [["quickback/lib/a.ts", "quickback/lib/a/b.ts", "quickback/lib/ab.ts"], []],
];

Deno.test("paths that no folder holds together everywhere are told", () => {
  for (const [paths, expected] of COLLIDING) {
    const report = new Report();
    read(Object.fromEntries(paths.map((path) => [path, ""])), report);
    assertEquals(report.errors.map(({ place, message }) => `${place.file} ${message}`), expected);
    assertEquals(report.errors.filter(({ code }) => code !== "PATH_COLLIDES"), []);
  }
});
