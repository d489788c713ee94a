/** Lists the codes of phase 4 about the author's code outside of features (contract 4.6, 6.1, 6.2, definitions 6). */
import { BUILT_IN_PROVIDERS } from "../../../contract/mod.ts";
import { LOGO_MAX_BYTES, PAGE_TEXT_MAX, RECORD_HOOKS } from "../../../model/mod.ts";
import { didYouMean, quote, quotedWords, type WayOut, wayOut } from "../wording.ts";
import { row } from "../diagnostic.ts";

const LOGO_NEEDS = {
  type: {
    is: "is neither an SVG nor a PNG file",
    hint: 'Write a file such as "logo.svg" or "logo.png"',
  },
  content: {
    is: "does not hold the image that its name promises",
    hint: 'An SVG begins with <svg xmlns="http://www.w3.org/2000/svg">, a PNG with its signature',
  },
  size: {
    is: `is larger than ${LOGO_MAX_BYTES} bytes`,
    hint: "Make it smaller: every page carries it",
  },
} as const;

export const AUTHORED = {
  SERVICE_EXPORT: row<{ file: string; construct: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A file in services/ exports something that is no service",
    message: ({ file, construct }) => `File ${quote(file)} exports ${construct} as its default`,
    hint: () =>
      "Write: export default defineService(({ env, db }) => ({ … })), or move the file to lib/",
  }),
  SERVICE_NAME: row<{ name: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A service's file name is no name for a member of services",
    message: ({ name }) => `${quote(name)} is no name for a service`,
    hint: () => "Rename the file: letters, digits, _ and -, a letter first",
  }),
  SERVICE_TWICE: row<{ name: string; other: string }>({
    severity: "error",
    section: "definitions 6",
    title: "Two services have one name",
    message: ({ name, other }) => `services.${name} is made by ${quote(other)} already`,
    hint: () => "Rename one of the files",
  }),
  SERVICE_RAW_SQL: row<{ construct: string }>({
    severity: "error",
    section: "contract 4.4",
    title: "Code in services/ writes SQL by hand",
    message: ({ construct }) => `Raw SQL (${construct}) in services/`,
    hint: () =>
      "Use the query builder: allowRawSql is an action's leave, and a service serves all of them",
  }),
  HOOKS_EXPORT: row<{ file: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A file in hooks/ of a feature exports something else",
    message: ({ file }) => `File ${quote(file)} has no defineHooks() as its default export`,
    hint: () => "Write: export default defineHooks(table, { … }), or move the file to lib/",
  }),
  HOOKS_TABLE: row<{ name: string; feature: string; other: string | null }>({
    severity: "error",
    section: "definitions 6",
    title: "Hooks are for a table that is not the feature's own",
    message: ({ name, feature, other }) =>
      other === null
        ? `${quote(name)} is no table of feature ${quote(feature)}`
        : `Table ${quote(name)} is one of feature ${quote(other)}, not of ${quote(feature)}`,
    hint: ({ other }) =>
      other === null
        ? "Name a table that a file of the feature defines"
        : `Move the file to quickback/features/${other}/hooks/`,
  }),
  HOOKS_TWICE: row<{ name: string; other: string }>({
    severity: "error",
    section: "definitions 6",
    title: "Two files have hooks for one table",
    message: ({ name, other }) => `${quote(other)} has the hooks of table ${quote(name)} already`,
    hint: () => "Put the hooks of a table into one file",
  }),
  HOOKS_EMPTY: row<Record<string, never>>({
    severity: "error",
    section: "definitions 6",
    title: "A file of hooks has none",
    message: () => "defineHooks() has no hook",
    hint: () => `Add one of ${RECORD_HOOKS.join(", ")}, or remove the file`,
  }),
  HOOK_UNKNOWN: row<{ name: string } & WayOut>({
    severity: "error",
    section: "definitions 6",
    title: "A hook has an unknown name",
    message: ({ name }) => `There is no hook ${quote(name)}`,
    hint: (details) => wayOut(quotedWords(details)),
  }),
  HOOK_CODE: row<{ name: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A hook is no function",
    message: ({ name }) => `Hook ${quote(name)} is no function`,
    hint: ({ name }) => `Write: ${name}: async ({ … }) => { … }`,
  }),
  JOB_EXPORT: row<{ file: string; folder: string; callee: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A file in jobs/ or schedules/ exports something else",
    message: ({ file, callee }) => `File ${quote(file)} has no ${callee}() as its default export`,
    hint: ({ callee }) => `Write: export default ${callee}({ … }), or move the file to lib/`,
  }),
  JOB_NAME: row<{ name: string }>({
    severity: "error",
    section: "definitions 6",
    title: "The file name of a job or schedule is no name for a member of jobs",
    message: ({ name }) => `${quote(name)} is no name for a job or schedule`,
    hint: () => "Rename the file: letters, digits, _ and -, a letter first",
  }),
  JOB_TWICE: row<{ name: string; other: string }>({
    severity: "error",
    section: "definitions 6",
    title: "Two jobs, or two schedules, have one name",
    message: ({ name, other }) => `${name} is defined in ${quote(other)} already`,
    hint: () => "Rename one of the files: send-mail.ts and sendMail.ts mean the same",
  }),
  SCHEDULE_CRON: row<{ cron: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A schedule's cron has no time that comes",
    message: ({ cron }) => `No time meets ${quote(cron)}`,
    hint: () =>
      "Write minute, hour, day of the month, month and day of the week, parted by one space: 30 6 * * MON-FRI",
  }),
  SCHEDULE_JOB: row<{ name: string } & WayOut>({
    severity: "error",
    section: "definitions 6",
    title: "A schedule names a job that there is not",
    message: ({ name }) => `There is no job ${quote(name)}`,
    hint: (details) => wayOut(quotedWords(details)),
  }),
  SCHEDULE_EACH: row<{ each: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A schedule is for each organization of a project without organizations",
    message: ({ each }) => `There is no ${each} for which this schedule could queue its job`,
    hint: () => "Remove each, or set features.organizations",
  }),
  SCHEDULE_ACROSS: row<{ name: string; each: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A schedule queues a job across tenants for each of them",
    message: ({ name, each }) =>
      `Job ${quote(name)} reaches every tenant, and would do so once for each ${each}`,
    hint: () => "Remove each, or crossTenant of the job",
  }),
  JOBS_ON_TRIGGER: row<{ platform: string }>({
    severity: "warning",
    section: "definitions 6",
    title: "Jobs run where no process stays",
    message: ({ platform }) =>
      `On ${platform} jobs and schedules are looked at once a minute, by the cron trigger of wrangler.toml`,
    hint: () => "Keep the trigger; choose the Deno runtime where they must start at once",
  }),
  EMAIL_TEMPLATE_UNKNOWN: row<{ file: string } & WayOut>({
    severity: "error",
    section: "definitions 6",
    title: "An e-mail template has the name of no message",
    message: ({ file }) => `No message is made of ${quote(file)}`,
    hint: (details) => wayOut(quotedWords(details)),
  }),
  EMAIL_PLACEHOLDER_UNKNOWN: row<{ name: string; file: string } & WayOut>({
    severity: "error",
    section: "definitions 6",
    title: "An e-mail template names something that its message does not have",
    message: ({ name, file }) => `Unknown placeholder ${quote(name)} in ${quote(file)}`,
    hint: (details) => wayOut(quotedWords(details)),
  }),
  LANGUAGE_UNKNOWN: row<{ name: string; tag: string | null }>({
    severity: "error",
    section: "definitions 6",
    title: "A folder of e-mail templates is named after no language",
    message: ({ name }) => `${quote(name)} is no language`,
    hint: ({ tag }) =>
      tag === null
        ? 'Name the folder by a tag of BCP 47, such as "de", "fr", "pt-BR" or "zh-Hant"'
        : `Write ${quote(tag)}`,
  }),
  PAGE_TEXTS_INVALID: row<{ file: string }>({
    severity: "error",
    section: "definitions 6",
    title: "The texts of the pages are no JSON object",
    message: ({ file }) => `${quote(file)} is no JSON object`,
    hint: () => 'Write { "invitation.title": "…" }, with any of the known texts',
  }),
  PAGE_TEXT_UNKNOWN: row<{ name: string; file: string } & WayOut>({
    severity: "error",
    section: "definitions 6",
    title: "A text is no text of the pages",
    message: ({ name, file }) => `Unknown text ${quote(name)} in ${quote(file)}`,
    hint: (details) => wayOut(quotedWords(details)),
  }),
  PAGE_TEXT_TWICE: row<{ name: string; file: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A text of the pages stands there twice",
    message: ({ name, file }) => `${quote(name)} stands in ${quote(file)} twice`,
    hint: () => "Remove one of them",
  }),
  PAGE_TEXT_INVALID: row<{ name: string; file: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A text of the pages is no text",
    message: ({ name, file }) =>
      `${quote(name)} in ${quote(file)} is no text of 1 to ${PAGE_TEXT_MAX} characters`,
    hint: () => "Write a text, or remove the key for the built-in one",
  }),
  LOGO_MISSING: row<{ name: string } & WayOut>({
    severity: "error",
    section: "definitions 2",
    title: "The logo is no file of the e-mail templates",
    message: ({ name }) => `There is no "quickback/email-templates/${name}"`,
    hint: (details) =>
      details.known.length === 0
        ? "Put the image into quickback/email-templates, or remove branding.logo"
        : wayOut(quotedWords(details)),
  }),
  LOGO_INVALID: row<{ name: string; why: keyof typeof LOGO_NEEDS }>({
    severity: "error",
    section: "definitions 2",
    title: "The logo is no image that messages and pages can show",
    message: ({ name, why }) => `${quote(name)} ${LOGO_NEEDS[why].is}`,
    hint: ({ why }) => LOGO_NEEDS[why].hint,
  }),
  AUTHORED_UNUSED: row<{ file: string }>({
    severity: "warning",
    section: "definitions 6",
    title: "A file outside of features does nothing",
    message: ({ file }) => `Nothing uses ${quote(file)}, so it is not part of the output`,
    hint: () => "Import it where it is needed, or remove it",
  }),
  WEBHOOK_PROVIDER_NAME: row<{ name: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A webhook provider takes the name of a built-in one",
    message: ({ name }) => `Provider ${quote(name)} is built in`,
    hint: () => "Choose another name, or list the built-in one in webhooks.inbound",
  }),
  WEBHOOK_PROVIDER_TWICE: row<{ name: string; other: string }>({
    severity: "error",
    section: "definitions 6",
    title: "Two webhook providers have one name",
    message: ({ name, other }) => `Provider ${quote(name)} is defined in ${quote(other)} already`,
    hint: () => "Rename one of the two",
  }),
  WEBHOOK_PROVIDER_UNLISTED: row<{ name: string }>({
    severity: "warning",
    section: "definitions 6",
    title: "A webhook provider is defined but not received from",
    message: ({ name }) => `Provider ${quote(name)} has no route`,
    hint: ({ name }) => `Add ${quote(name)} to webhooks.inbound`,
  }),
  WEBHOOK_PROVIDER_UNKNOWN: row<{ name: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 6",
    title: "webhooks.inbound lists a provider that nobody defines",
    message: ({ name }) => `There is no webhook provider ${quote(name)}`,
    hint: ({ nearest }) =>
      didYouMean({ nearest }) ??
        `Define it in services/ with defineWebhookProvider, or use ${
          BUILT_IN_PROVIDERS.join(" or ")
        }`,
  }),
  WEBHOOK_EVENT_PLACE: row<Record<never, never>>({
    severity: "error",
    section: "definitions 6",
    title: "onWebhookEvent stands where it cannot be registered from",
    message: () => "onWebhookEvent is not called at the top level of a file in services/",
    hint: () => 'Write it there, as a statement: onWebhookEvent("<provider>:<type>", handler)',
  }),
  WEBHOOK_EVENT_TYPE: row<{ found: string }>({
    severity: "error",
    section: "contract 6.2",
    title: "onWebhookEvent names no event type",
    message: ({ found }) => `onWebhookEvent cannot handle ${found}`,
    hint: () => 'Write "<provider>:<type>" or "<provider>:*"',
  }),
  WEBHOOK_EVENT_PROVIDER: row<{ type: string; provider: string; nearest: string | null }>({
    severity: "warning",
    section: "contract 6.2",
    title: "onWebhookEvent handles events that are not received",
    message: ({ type, provider }) =>
      `Nothing is received for ${quote(type)}: ${quote(provider)} is not in webhooks.inbound`,
    hint: didYouMean,
  }),
  WEBHOOK_EMIT_OFF: row<Record<never, never>>({
    severity: "warning",
    section: "contract 6.1",
    title: "Events are emitted that nobody can receive",
    message: () => "emitWebhookEvent reaches nobody: webhooks.outbound is off",
    hint: () => "Set webhooks.outbound to true",
  }),
  REALTIME_TWICE: row<{ other: string }>({
    severity: "error",
    section: "definitions 6",
    title: "Two files define the realtime registry",
    message: ({ other }) => `The realtime registry is defined in ${quote(other)} already`,
    hint: () => "Put all bindings into one defineRealtime",
  }),
  MIDDLEWARE_EXPORT: row<{ file: string }>({
    severity: "error",
    section: "definitions 6",
    title: "A file in middlewares/ exports no middleware",
    message: ({ file }) => `File ${quote(file)} has no middleware as its default export`,
    hint: () => "Write: export default async (c, next) => { await next(); }",
  }),
  AUTH_HOOK_UNKNOWN: row<{ hook: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 6",
    title: "hooks/auth.ts has a hook that does not exist",
    message: ({ hook }) => `Unknown account hook ${quote(hook)}`,
    hint: didYouMean,
  }),
  AUTH_HOOK_EXPORT: row<{ construct: string }>({
    severity: "error",
    section: "definitions 6",
    title: "The default export of hooks/auth.ts is no object of hooks",
    message: ({ construct }) => `hooks/auth.ts exports ${construct} as its default`,
    hint: () => "Write: export default { async onSignUp({ user }) { … } }",
  }),
  AUTH_HOOK_TWICE: row<{ hook: string }>({
    severity: "error",
    section: "definitions 6",
    title: "hooks/auth.ts says one hook twice",
    message: ({ hook }) => `Hook ${quote(hook)} stands in the default export and beside it`,
    hint: () => "Keep one of the two",
  }),
} as const;
