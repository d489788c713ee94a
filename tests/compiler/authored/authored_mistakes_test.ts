/** Mistakes in code outside of features (definitions 6): one mistake, one diagnostic, where it is. */
import { assertEquals } from "@std/assert";
import { analyzed, type Files, toldOf } from "../../support/analysis.ts";

const CONFIG = "quickback/quickback.config.ts";
const SERVICE = "quickback/services/one.ts";
const OTHER = "quickback/services/two.ts";
const HOOKS = "quickback/hooks/auth.ts";
const MIDDLEWARE = "quickback/middlewares/one.ts";

const config = (webhooks = "") =>
  `export default { name: "sample"${webhooks === "" ? "" : `, webhooks: ${webhooks}`} };\n`;

/** Every diagnostic, errors first, of these files beside a configuration. */
function told(files: Files): readonly string[] {
  const { errors, warnings } = analyzed({ [CONFIG]: config(), ...files });
  return [...toldOf(errors), ...toldOf(warnings)];
}

type Row = readonly [title: string, files: Files, expected: readonly string[]];

const SERVICE_SOURCE = 'import { defineService } from "quickback";\n' +
  "export default defineService(() => ({}));\n";
const SIGNALS_SOURCE = 'import { defineRealtime } from "quickback";\n' +
  'export default defineRealtime({ board: { changed: { keys: ["id"], audience: { scope: "organization" } } } });\n';
const provider = (name: string, rest = "verifySignature: () => true, parseEvent: JSON.parse") =>
  `import { defineWebhookProvider } from "quickback";
export default defineWebhookProvider({ name: ${JSON.stringify(name)}, ${rest} });
`;
const forged = config('{ outbound: true, inbound: ["forge"] }');
const events = (source: string) => `import { onWebhookEvent } from "quickback";\n${source}\n`;

const JOB = "quickback/jobs/send.ts";
const SCHEDULE = "quickback/schedules/daily.ts";
const job = (rest = "") =>
  `import { defineJob, z } from "quickback";
export default defineJob({ input: z.object({ id: z.string() }), run: async () => {}, ${rest} });
`;
const schedule = ({ cron = "30 6 * * *", job = "send", rest = "" } = {}) =>
  `import { defineSchedule } from "quickback";
export default defineSchedule({ cron: ${JSON.stringify(cron)}, job: ${
    JSON.stringify(job)
  }, input: { id: "1" }, ${rest} });
`;

const ROWS: readonly Row[] = [
  ["a service", { [SERVICE]: SERVICE_SOURCE }, []],
  ["a service under another name of its function", {
    [SERVICE]: 'import { defineService as make } from "@quickback/compiler";\n' +
      "const mail = make(({ env }) => ({ env }));\nexport default mail;\n",
  }, []],
  ["something that is no service", { [SERVICE]: "export default { send() {} };\n" }, [
    'SERVICE_EXPORT 1:16 File "quickback/services/one.ts" exports an object as its default | Write: export default defineService(({ env, db }) => ({ … })), or move the file to lib/',
  ]],
  ["an action in services/", {
    [SERVICE]: 'import { defineAction } from "quickback";\nexport default defineAction({});\n',
  }, [
    'SERVICE_EXPORT 2:16 File "quickback/services/one.ts" exports a call of defineAction() as its default | Write: export default defineService(({ env, db }) => ({ … })), or move the file to lib/',
  ]],
  ["a job and a schedule of it", { [JOB]: job(), [SCHEDULE]: schedule() }, []],
  ["something that is no job", { [JOB]: "export default { run() {} };\n" }, [
    'JOB_EXPORT 1:16 File "quickback/jobs/send.ts" has no defineJob() as its default export | Write: export default defineJob({ … }), or move the file to lib/',
  ]],
  ["a job in schedules/", { [SCHEDULE]: job() }, [
    'JOB_EXPORT 2:16 File "quickback/schedules/daily.ts" has no defineSchedule() as its default export | Write: export default defineSchedule({ … }), or move the file to lib/',
  ]],
  ["a job whose name is none", { "quickback/jobs/2fa.ts": job() }, [
    'JOB_NAME 2:16 "2fa" is no name for a job or schedule | Rename the file: letters, digits, _ and -, a letter first',
  ]],
  ["two jobs of one name", {
    "quickback/jobs/send-mail.ts": job(),
    "quickback/jobs/sendMail.ts": job(),
  }, [
    'JOB_TWICE 2:16 jobs.sendMail is defined in "quickback/jobs/send-mail.ts" already | Rename one of the files: send-mail.ts and sendMail.ts mean the same',
  ]],
  ["a job without input", {
    [JOB]: 'import { defineJob } from "quickback";\nexport default defineJob({ run() {} });\n',
  }, [
    'KEY_MISSING 2:26 Key "input" is missing in defineJob | Add input: z.object({ … }), empty where it takes nothing',
  ]],
  ["a job that may run for two hours", { [JOB]: job("timeout: 7200") }, [
    'VALUE_INVALID 2:95 "defineJob.timeout" is 7200, expected an integer from 1 to 3600',
  ]],
  ["an unsafe job, across tenants or not", {
    [JOB]: job('unsafe: { reason: "Why", crossTenant: true }'),
    "quickback/jobs/sweep.ts": job('unsafe: { reason: "Why" }'),
    [SCHEDULE]: schedule(),
  }, []],
  ["an unsafe job without a reason", { [JOB]: job("unsafe: {}") }, [
    'KEY_MISSING 2:94 Key "reason" is missing in defineJob.unsafe',
  ]],
  ["an unsafe job that is only said to be one", { [JOB]: job("unsafe: true") }, [
    'VALUE_TYPE 2:94 "defineJob.unsafe" is true, expected an object with a reason | Write unsafe: { reason: "why it goes past the rules of the table" }',
  ]],
  ["an unsafe job with a key of actions", {
    [JOB]: job('unsafe: { reason: "Why", adminOnly: true }'),
  }, [
    'UNKNOWN_KEY 2:111 Unknown key "adminOnly" in defineJob.unsafe | There are "reason", "crossTenant"',
  ]],
  ["a job across tenants for each organization", {
    [JOB]: job('unsafe: { reason: "Why", crossTenant: true }'),
    [SCHEDULE]: schedule({ rest: 'each: "organization"' }),
  }, [
    'SCHEDULE_ACROSS 2:86 Job "send" reaches every tenant, and would do so once for each organization | Remove each, or crossTenant of the job',
  ]],
  ...["0 0 31 2 *", "* * * *", "@daily", "0 0 0 1 1 *", "0 0 L * *", "61 * * * *"].map((cron) =>
    [
      `a cron of ${cron}`,
      { [JOB]: job(), [SCHEDULE]: schedule({ cron }) },
      [
        `SCHEDULE_CRON 2:39 No time meets ${
          JSON.stringify(cron)
        } | Write minute, hour, day of the month, month and day of the week, parted by one space: 30 6 * * MON-FRI`,
      ],
    ] as const
  ),
  ["a schedule of no job", { [JOB]: job(), [SCHEDULE]: schedule({ job: "sent" }) }, [
    'SCHEDULE_JOB 2:58 There is no job "sent" | Did you mean "send"?',
  ]],
  ["a schedule in no time zone", {
    [JOB]: job(),
    [SCHEDULE]: schedule({ rest: 'timeZone: "Mars/Base"' }),
  }, [
    'VALUE_INVALID 2:96 "defineSchedule.timeZone" is "Mars/Base", expected a time zone of the IANA database, such as `Europe/Berlin`',
  ]],
  ["a schedule for each organization of a project without any", {
    [CONFIG]: 'export default { name: "sample", features: { organizations: false } };\n',
    [JOB]: job(),
    [SCHEDULE]: schedule({ rest: 'each: "organization"' }),
  }, [
    "SCHEDULE_EACH 1:1 There is no organization for which this schedule could queue its job | Remove each, or set features.organizations",
  ]],
  ["a job on a platform without processes", {
    [CONFIG]:
      'export default { name: "sample", providers: { runtime: { name: "cloudflare" } } };\n',
    [JOB]: job(),
  }, [
    "JOBS_ON_TRIGGER 1:1 On cloudflare jobs and schedules are looked at once a minute, by the cron trigger of wrangler.toml | Keep the trigger; choose the Deno runtime where they must start at once",
  ]],
  ["a misspelt name", {
    [SERVICE]: 'import { defineServce } from "quickback";\nexport default defineServce(() => 1);\n',
  }, [
    'IMPORT_UNKNOWN 1:10 "quickback" has no export "defineServce" | Did you mean "defineService"?',
  ]],
  ["two registries of signals", {
    [CONFIG]: 'export default { name: "sample", realtime: { enabled: true } };\n',
    [SERVICE]: SIGNALS_SOURCE,
    [OTHER]: SIGNALS_SOURCE,
  }, [
    'REALTIME_TWICE 2:16 The realtime registry is defined in "quickback/services/one.ts" already | Put all bindings into one defineRealtime',
  ]],
  ["a service of two names", {
    "quickback/services/send-mail.ts": SERVICE_SOURCE,
    "quickback/services/sendMail.ts": SERVICE_SOURCE,
  }, [
    'SERVICE_TWICE 2:16 services.sendMail is made by "quickback/services/send-mail.ts" already | Rename one of the files',
  ]],
  ["a service without a name", { "quickback/services/2fa.service.ts": SERVICE_SOURCE }, [
    'SERVICE_NAME 2:16 "2fa.service" is no name for a service | Rename the file: letters, digits, _ and -, a letter first',
  ]],
  ["a service named like a member of every object", {
    "quickback/services/constructor.ts": SERVICE_SOURCE,
  }, [
    'SERVICE_NAME 2:16 "constructor" is no name for a service | Rename the file: letters, digits, _ and -, a letter first',
  ]],
  ["a file in services/ that nothing uses", { [SERVICE]: "export const helper = 1;\n" }, [
    'AUTHORED_UNUSED 1:1 Nothing uses "quickback/services/one.ts", so it is not part of the output | Import it where it is needed, or remove it',
  ]],
  ["a helper of a service", {
    [SERVICE]: 'import { defineService } from "quickback";\nimport { helper } from "./two";\n' +
      "export default defineService(() => ({ helper }));\n",
    [OTHER]: "export const helper = 1;\n",
  }, []],
  ["raw SQL in what a service imports", {
    [SERVICE]: 'import { defineService } from "quickback";\nimport { all } from "../lib/all";\n' +
      "export default defineService(({ db }) => ({ all: () => all(db) }));\n",
    "quickback/lib/all.ts":
      'export const all = (db: { run(text: string): unknown }) => db.run("SELECT 1");\n',
  }, [
    "SERVICE_RAW_SQL 1:60 Raw SQL (`db.run`) in services/ | Use the query builder: allowRawSql is an action's leave, and a service serves all of them",
  ]],
  ["a package that is not listed", {
    [SERVICE]: 'import { defineService } from "quickback";\nimport Stripe from "stripe";\n' +
      "export default defineService(() => new Stripe());\n",
  }, [
    'PACKAGE_UNLISTED 2:20 Package "stripe" is not in build.dependencies | Add it there with its version range',
  ]],

  ["a provider", { [CONFIG]: forged, [SERVICE]: provider("forge") }, []],
  ["a provider with a built-in name", { [SERVICE]: provider("stripe") }, [
    'WEBHOOK_PROVIDER_NAME 2:46 Provider "stripe" is built in | Choose another name, or list the built-in one in webhooks.inbound',
  ]],
  ["two providers of one name", {
    [CONFIG]: forged,
    [SERVICE]: provider("forge"),
    [OTHER]: provider("forge"),
  }, [
    'WEBHOOK_PROVIDER_TWICE 2:16 Provider "forge" is defined in "quickback/services/one.ts" already | Rename one of the two',
  ]],
  ["a provider that is not received from", { [SERVICE]: provider("forge") }, [
    'WEBHOOK_PROVIDER_UNLISTED 2:16 Provider "forge" has no route | Add "forge" to webhooks.inbound',
  ]],
  ["a provider that nobody defines", {
    [CONFIG]: config('{ inbound: ["froge"] }'),
    [SERVICE]: provider("forge"),
  }, [
    'WEBHOOK_PROVIDER_UNKNOWN 1:56 There is no webhook provider "froge" | Did you mean "forge"?',
  ]],
  ["a provider in capitals", { [CONFIG]: forged, [SERVICE]: provider("Forge") }, [
    'VALUE_INVALID 2:46 "defineWebhookProvider.name" is "Forge", expected a provider name in lower case',
  ]],
  ["a provider that parses nothing", {
    [CONFIG]: forged,
    [SERVICE]: provider("forge", "verifySignature: () => true, parse: 1"),
  }, [
    'KEY_MISSING 2:38 Key "parseEvent" is missing in defineWebhookProvider',
    'UNKNOWN_KEY 2:84 Unknown key "parse" in defineWebhookProvider | There are "name", "signatureHeader", "verifySignature", "parseEvent", "organizationOf"',
  ]],
  ["a provider that verifies nothing", {
    [CONFIG]: forged,
    [SERVICE]: provider("forge", "verifySignature: true, parseEvent: JSON.parse"),
  }, [
    'VALUE_TYPE 2:72 "defineWebhookProvider.verifySignature" is true, expected a function',
  ]],
  ["an organization that is no code", {
    [CONFIG]: forged,
    [SERVICE]: provider(
      "forge",
      'verifySignature: () => true, parseEvent: JSON.parse, organizationOf: "org_1"',
    ),
  }, [
    'VALUE_TYPE 2:124 "defineWebhookProvider.organizationOf" is "org_1", expected a function',
  ]],
  ["a header that is none", {
    [CONFIG]: forged,
    [SERVICE]: provider(
      "forge",
      'signatureHeader: "x y", verifySignature() { return true; }, parseEvent: JSON.parse',
    ),
  }, [
    'VALUE_INVALID 2:72 "defineWebhookProvider.signatureHeader" is "x y", expected a header\'s name',
  ]],
  ["a provider without arguments", {
    [SERVICE]: 'import { defineWebhookProvider as p } from "quickback";\nexport default p();\n',
  }, [
    "ARGUMENTS 2:16 Arguments of defineWebhookProvider are wrong, expected defineWebhookProvider({ name, … })",
  ]],

  ["handlers at the top level", {
    [CONFIG]: config('{ inbound: ["stripe"] }'),
    [SERVICE]: events(
      'onWebhookEvent("stripe:a.b", () => {});\nconst all = onWebhookEvent("stripe:*", () => {});\n' +
        'export default onWebhookEvent("stripe:c", () => all);',
    ),
  }, []],
  ["a handler in a function", {
    [SERVICE]: events('export function add() {\n  onWebhookEvent("stripe:a", () => {});\n}'),
  }, [
    'WEBHOOK_EVENT_PLACE 3:3 onWebhookEvent is not called at the top level of a file in services/ | Write it there, as a statement: onWebhookEvent("<provider>:<type>", handler)',
  ]],
  ["a handler in a loop", {
    [SERVICE]: events('for (const type of ["a", "b"]) onWebhookEvent(`stripe:${type}`, () => {});'),
  }, [
    'WEBHOOK_EVENT_PLACE 2:32 onWebhookEvent is not called at the top level of a file in services/ | Write it there, as a statement: onWebhookEvent("<provider>:<type>", handler)',
  ]],
  ["a handler under another name", {
    [SERVICE]: events("const on = onWebhookEvent;\nexport { on };"),
  }, [
    'WEBHOOK_EVENT_PLACE 2:12 onWebhookEvent is not called at the top level of a file in services/ | Write it there, as a statement: onWebhookEvent("<provider>:<type>", handler)',
  ]],
  ["a handler in lib/", {
    "quickback/lib/events.ts": events('onWebhookEvent("stripe:a", () => {});'),
  }, [
    'WEBHOOK_EVENT_PLACE 2:1 onWebhookEvent is not called at the top level of a file in services/ | Write it there, as a statement: onWebhookEvent("<provider>:<type>", handler)',
  ]],
  ["a type without its provider", {
    [SERVICE]: events('onWebhookEvent("invoice.paid", () => {});'),
  }, [
    'WEBHOOK_EVENT_TYPE 2:16 onWebhookEvent cannot handle "invoice.paid" | Write "<provider>:<type>" or "<provider>:*"',
  ]],
  ["a type that is computed", {
    [SERVICE]: events('onWebhookEvent(["stripe", "a"].join(":"), () => {});'),
  }, [
    'WEBHOOK_EVENT_TYPE 2:16 onWebhookEvent cannot handle the call of `["stripe", "a"].join` | Write "<provider>:<type>" or "<provider>:*"',
  ]],
  ["no type at all", { [SERVICE]: events("onWebhookEvent();") }, [
    'WEBHOOK_EVENT_TYPE 2:1 onWebhookEvent cannot handle an unnamed type | Write "<provider>:<type>" or "<provider>:*"',
  ]],
  ["a type of a provider that is not received from", {
    [CONFIG]: config('{ inbound: ["stripe"] }'),
    [SERVICE]: events('onWebhookEvent("strpe:a", () => {});'),
  }, [
    'WEBHOOK_EVENT_PROVIDER 2:1 Nothing is received for "strpe:a": "strpe" is not in webhooks.inbound | Did you mean "stripe"?',
  ]],
  ["events that nobody can receive", {
    [SERVICE]: 'import { defineService, emitWebhookEvent } from "quickback";\n' +
      "export default defineService(() => ({ emitWebhookEvent }));\n",
  }, [
    "WEBHOOK_EMIT_OFF 1:1 emitWebhookEvent reaches nobody: webhooks.outbound is off | Set webhooks.outbound to true",
  ]],

  ["a middleware of a library", {
    [MIDDLEWARE]: 'import { timing } from "hono/timing";\nexport default timing();\n',
  }, []],
  ["a middleware without a default export", {
    [MIDDLEWARE]: "export const log = async () => {};\n",
  }, [
    'MIDDLEWARE_EXPORT 1:1 File "quickback/middlewares/one.ts" has no middleware as its default export | Write: export default async (c, next) => { await next(); }',
  ]],
  ["a middleware that is an object", { [MIDDLEWARE]: "export default {};\n" }, [
    'MIDDLEWARE_EXPORT 1:16 File "quickback/middlewares/one.ts" has no middleware as its default export | Write: export default async (c, next) => { await next(); }',
  ]],

  ["hooks one by one and in one object", {
    [HOOKS]: "export const onSignUp = () => {};\nexport default { async onSignIn() {} };\n",
  }, []],
  ["a hook that does not exist", { [HOOKS]: "export default { onSignup() {}, onLogin() {} };\n" }, [
    'AUTH_HOOK_UNKNOWN 1:18 Unknown account hook "onSignup" | Did you mean "onSignUp"?',
    'AUTH_HOOK_UNKNOWN 1:33 Unknown account hook "onLogin"',
  ]],
  ["an export that is no hook", { [HOOKS]: "export function helper() {}\n" }, [
    'AUTH_HOOK_UNKNOWN 1:1 Unknown account hook "helper"',
  ]],
  ["hooks that are no object", { [HOOKS]: "export default function hooks() {}\n" }, [
    "AUTH_HOOK_EXPORT 1:16 hooks/auth.ts exports no plain object as its default | Write: export default { async onSignUp({ user }) { … } }",
  ]],
  ["one hook twice", {
    [HOOKS]: "export const onSignUp = () => {};\nexport default { onSignUp };\n",
  }, [
    'AUTH_HOOK_TWICE 1:1 Hook "onSignUp" stands in the default export and beside it | Keep one of the two',
  ]],
  ["another file of hooks", { "quickback/hooks/orders.ts": "export const onOrder = 1;\n" }, [
    'AUTHORED_UNUSED 1:1 Nothing uses "quickback/hooks/orders.ts", so it is not part of the output | Import it where it is needed, or remove it',
  ]],
];

for (const [title, files, expected] of ROWS) {
  Deno.test(`code outside of features: ${title}`, () => assertEquals(told(files), expected));
}
