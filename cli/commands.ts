/**
 * Lists every command, one record each: parsing, help, usage and completion are derived from them (definitions 8, answers P).
 */
import type { Command } from "./command.ts";

/** Descriptions of groups, whose commands have two words, by the first word. */
export const GROUPS: ReadonlyMap<string, string> = new Map([
  ["add", "Adds a draft to a project, which nobody may use yet"],
  ["users", "Lists, locks and appoints the accounts of an API"],
  ["db", "Copies, puts back, migrates and asks the database of an API"],
]);

const UNDO = { undo: { help: "Take it back" } } as const;

export const COMMANDS: readonly Command[] = [
  {
    name: "new",
    usage: "<folder> [--template <name>]",
    summary: "Starts a project from a template: empty, field-service, helpdesk, saas",
    arguments: ["<folder>", "[folder]"],
    options: {
      template: {
        value: "name",
        help: "Which one, else empty; new <template> <folder> says it too",
      },
    },
    run: async (...given) => (await import("./commands/new.ts")).startProject(...given),
  },
  {
    name: "dev",
    usage: "[folder]",
    summary:
      "Compiles a project, serves its API and follows every change; in a clone without a project, the example",
    arguments: ["[folder]"],
    printsFindings: true,
    options: {
      port: {
        value: "value",
        help: "Where the API listens; else PORT, else the project's dev.port, else 8000",
      },
      host: { value: "value", help: "Address to listen on, 127.0.0.1 unless said otherwise" },
      fresh: { help: "Start over: drop the development database and its migrations" },
      seed: { help: "Plant the rows of quickback/seed.ts in the development database, once" },
      "no-playground": { help: "Serve the API without the page for editing and trying it" },
    },
    run: async (...given) => (await import("./commands/dev.ts")).develop(...given),
  },
  {
    name: "logs",
    usage: "[folder] [--follow] [--lines <number>]",
    summary: "Shows what the API of dev answered, delivered and logged, without secrets",
    arguments: ["[folder]"],
    options: {
      follow: { help: "Go on as the API does; with --json a line of JSON for each entry" },
      lines: { value: "number", help: "So many of the newest entries, else 50" },
    },
    run: async (...given) => (await import("./commands/logs.ts")).showLogs(...given),
  },
  {
    name: "compile",
    usage: "[folder] --out <folder>",
    summary: "Compiles a project's definitions into an API",
    arguments: ["[folder]"],
    printsFindings: true,
    options: {
      out: {
        value: "folder",
        help: "Folder for the files; what an earlier compile wrote there is brought up to date",
      },
      force: { help: "Overwrite files in that folder that no compile has written" },
      vendor: { help: "Carry the runtime's sources, where an output would depend on the package" },
      service: {
        value: "url",
        help: "Compile at this build service, with SERVICE_API_KEY or after login, not here",
      },
      "empty-database": {
        help:
          "Databases begin empty, as in tests: leave out data steps that this output has no place for",
      },
      verify: { help: "Write nothing; say whether the folder is what its definitions compile to" },
    },
    run: async (...given) => (await import("./commands/compile.ts")).compileProject(...given),
  },
  {
    name: "validate",
    usage: "[folder] [--out <folder>]",
    summary: "Checks a project's definitions and writes nothing",
    arguments: ["[folder]"],
    printsFindings: true,
    options: {
      out: {
        value: "folder",
        help: "The API's folder, whose migrations the next one would follow",
      },
    },
    run: async (...given) => (await import("./commands/validate.ts")).validateProject(...given),
  },
  {
    name: "check",
    usage: "[folder]",
    summary: "Finds every mistake in a project's definitions and handlers, types included",
    arguments: ["[folder]"],
    printsFindings: true,
    run: async (...given) => (await import("./commands/check.ts")).checkProject(...given),
  },
  {
    name: "types",
    usage: "[folder]",
    summary: "Brings the types that editors know the project by up to date",
    arguments: ["[folder]"],
    printsFindings: true,
    run: async (...given) => (await import("./commands/types.ts")).declareTypes(...given),
  },
  {
    name: "add table",
    usage: "<name> [folder]",
    summary: "A table with its routes",
    arguments: ["<name>", "[folder]"],
    printsFindings: true,
    run: async (...given) => (await import("./commands/add/command.ts")).addTable(...given),
  },
  {
    name: "add action",
    usage: "<table/name> [folder]",
    summary: "An action on a table",
    arguments: ["<table/name>", "[folder]"],
    printsFindings: true,
    run: async (...given) => (await import("./commands/add/command.ts")).addAction(...given),
  },
  {
    name: "add webhook",
    usage: "<provider> [folder]",
    summary: "A provider of inbound webhooks, and what is done with its events",
    arguments: ["<provider>", "[folder]"],
    printsFindings: true,
    run: async (...given) => (await import("./commands/add/command.ts")).addWebhook(...given),
  },
  {
    name: "add job",
    usage: "<name> [folder]",
    summary: "Work that is queued with a transaction and done after it",
    arguments: ["<name>", "[folder]"],
    printsFindings: true,
    run: async (...given) => (await import("./commands/add/command.ts")).addJob(...given),
  },
  {
    name: "fmt",
    usage: "[folder]",
    summary: "Formats a project's definitions and handlers, by its own settings of deno fmt",
    arguments: ["[folder]"],
    options: { check: { help: "Change nothing, and fail where something would change" } },
    run: async (...given) => (await import("./commands/format.ts")).format(...given),
  },
  {
    name: "routes",
    usage: "[folder]",
    summary: "Shows every route with who may ask it",
    arguments: ["[folder]"],
    printsFindings: true,
    options: { all: { help: "The service's own routes and every class of callers, too" } },
    run: async (...given) => (await import("./commands/routes.ts")).listRoutes(...given),
  },
  {
    name: "import",
    usage: "<openapi|prisma|sql> <file|folder> [folder] [--tenant <table>]",
    summary: "Drafts definitions from an existing schema, closed, with a list of what to decide",
    arguments: ["<kind>", "<file>", "[folder]"],
    printsFindings: true,
    options: {
      tenant: {
        value: "table",
        help: "Table that organizations stand for, or none; left out, it is guessed with a reason",
      },
    },
    run: async (...given) => (await import("./commands/import.ts")).importSchema(...given),
  },
  {
    name: "adopt",
    usage: "[folder] [--write]",
    summary:
      "Rewrites a project of the language's first implementation, and lists what a person decides",
    arguments: ["[folder]"],
    printsFindings: true,
    options: {
      write: {
        help: "Write where the folder is no clean git work tree, too; else print what would change",
      },
    },
    run: async (...given) => (await import("./commands/adopt/command.ts")).adopt(...given),
  },
  {
    name: "diff",
    usage: "<old folder> <new folder>",
    summary:
      "Tells what changes between two versions of a project, and fails when it should be looked at",
    arguments: ["<old>", "<new>"],
    printsFindings: true,
    options: {
      allow: {
        value: "kinds",
        help: "Do not fail for these, comma-separated: gain, breaking, destructive",
      },
    },
    run: async (...given) => (await import("./commands/diff/command.ts")).diff(...given),
  },
  {
    name: "conformance",
    usage: "<url> --project <folder>",
    summary:
      "Asks a running API everything as everybody, and compares with its definitions. It writes rows of organizations of its own into the API's database, and removes them again",
    arguments: ["<url>"],
    printsFindings: true,
    options: {
      project: { value: "folder", help: "The definitions that the API was compiled from" },
      credentials: {
        value: "file",
        help: "A JSON file with request headers by principal, for those that need code of yours",
      },
      yes: { help: "Write into the database of an API that is not on this machine" },
    },
    run: async (...given) =>
      (await import("./commands/conformance/command.ts")).conformance(...given),
  },
  {
    name: "leakcheck",
    usage: "[folder]",
    summary: "Asks the API everything twice, over databases that differ only in masked values",
    arguments: ["[folder]"],
    printsFindings: true,
    run: async (...given) => (await import("./commands/leakcheck/command.ts")).leakcheck(...given),
  },
  {
    name: "audit-sql",
    usage: "[folder]",
    summary:
      "Reads every statement that the API sends its database, and finds those that leave a scope",
    arguments: ["[folder]"],
    printsFindings: true,
    run: async (...given) => (await import("./commands/audit_sql/command.ts")).auditSql(...given),
  },
  {
    name: "why",
    usage: '<folder> --as "<roles> of <organization> user <id>" <method> <path>',
    summary: "Tells which rule decides about a request, where it stands, and what it compares",
    arguments: ["<folder>", "<method>", "<path>"],
    printsFindings: true,
    options: {
      as: {
        value: "caller",
        help:
          'Who asks: "agent of org_1 user u1 team t1 with token", "anonymous", "sysadmin of none"',
      },
      row: {
        value: "json",
        help:
          "The record's columns as JSON, or none; its scope is the caller's own where it does not say",
      },
      related: {
        value: "json",
        help: "With --row: the rows that its relations lead to, lists by tables",
      },
      body: { value: "json", help: "What is sent, as JSON" },
      database: { value: "url", help: "Where to read the record: file:… or libsql://…" },
    },
    run: async (...given) => (await import("./commands/why/command.ts")).explain(...given),
  },
  {
    name: "users list",
    usage: "[folder]",
    summary: "Shows the accounts in the database of an output, else of dev",
    arguments: ["[folder]"],
    run: async (...given) => (await import("./commands/users.ts")).listUsers(...given),
  },
  {
    name: "users confirm",
    usage: "<account> [folder]",
    summary: "Confirms the address of an account, by that or its id, on the operator's word",
    arguments: ["<account>", "[folder]"],
    run: async (...given) => (await import("./commands/users.ts")).confirmUser(...given),
  },
  {
    name: "users lock",
    usage: "<account> [folder]",
    summary: "Keeps an account, by its address or id, from signing in, and ends its sessions",
    arguments: ["<account>", "[folder]"],
    options: UNDO,
    run: async (...given) => (await import("./commands/users.ts")).lockUser(...given),
  },
  {
    name: "users sysadmin",
    usage: "<account> [folder]",
    summary: "Gives an account, by its address or id, the platform's highest role",
    arguments: ["<account>", "[folder]"],
    options: UNDO,
    run: async (...given) => (await import("./commands/users.ts")).makeSysadmin(...given),
  },
  {
    name: "db backup",
    usage: "[folder] --out <file>",
    summary: "Copies a database that may be in use, as one moment has it",
    arguments: ["[folder]"],
    options: { out: { value: "file", help: "The copy; nothing is overwritten" } },
    run: async (...given) => (await import("./commands/db/backup.ts")).backUp(...given),
  },
  {
    name: "db restore",
    usage: "[folder] --from <file>",
    summary:
      "Puts a backup in the place of a database that nobody has open, and keeps the old file",
    arguments: ["[folder]"],
    options: { from: { value: "file", help: "The backup" } },
    run: async (...given) => (await import("./commands/db/restore.ts")).restore(...given),
  },
  {
    name: "db migrate",
    usage: "[folder] [--baseline | --all]",
    summary: "Applies the pending migrations of an output to its database",
    arguments: ["[folder]"],
    options: {
      baseline: {
        help:
          "The database has the tables of the first migration: compare, and record it as applied",
      },
      all: { help: "The databases of organizations, too" },
    },
    run: async (...given) => (await import("./commands/db/migrate.ts")).migrate(...given),
  },
  {
    name: "tenant",
    usage: "<list|migrate|export|import|restore|move|delete|split> <output> [...]",
    summary: "Does what the tenant task of an output does, to the databases of organizations",
    arguments: ["<command>", "[output]", "[args...]"],
    options: {
      to: { value: "path", help: "Of export: a file or folder; of move: a place" },
      from: { value: "path", help: "Of restore: the folder; of split: the shared database" },
      at: { value: "time", help: "Of restore: no export that is younger" },
      all: { help: "Of export: every organization" },
      yes: { help: "Of delete: it is meant" },
    },
    run: async (...given) => (await import("./commands/tenant.ts")).tenant(...given),
  },
  {
    name: "db console",
    usage: "[folder]",
    summary: "Asks a database in SQL, line by line; it reads only",
    arguments: ["[folder]"],
    options: {
      write: { help: "Let statements change it" },
      execute: { value: "sql", help: "Answer this one statement, and end" },
    },
    run: async (...given) => (await import("./commands/db/console.ts")).openConsole(...given),
  },
  {
    name: "deploy",
    usage: "<docker|fly|deno-deploy|cloudflare|systemd> <folder>",
    summary: "Prints the steps that put an output somewhere, and runs them when told to",
    arguments: ["<target>", "<folder>"],
    options: {
      run: { help: "Run the steps, until one fails" },
      name: { value: "name", help: "Name of the deployment, else the folder's" },
    },
    run: async (...given) => (await import("./commands/deploy.ts")).deploy(...given),
  },
  {
    name: "upgrade",
    usage: "[folder] [--to <version>] [--write]",
    summary: "Tells what changes for a project or an output between its version and another",
    arguments: ["[folder]"],
    options: {
      to: { value: "version", help: "Up to this one, else up to this compiler's own" },
      write: { help: "Write the new version where the project pins it" },
    },
    run: async (...given) => (await import("./commands/upgrade.ts")).upgrade(...given),
  },
  {
    name: "login",
    usage: "--service <url>",
    summary: "Signs in at a build service, for compile --service",
    arguments: [],
    options: { service: { value: "url", help: "The build service" } },
    run: async (...given) => (await import("./commands/login.ts")).login(...given),
  },
  {
    name: "logout",
    usage: "[--service <url>]",
    summary: "Forgets the session at a build service, or all of them",
    arguments: [],
    options: { service: { value: "url", help: "The build service; left out, every one" } },
    run: async (...given) => (await import("./commands/login.ts")).logout(...given),
  },
  {
    name: "completion",
    usage: "<bash|zsh|fish>",
    summary: "Prints the script that completes commands and options in a shell",
    arguments: ["<shell>"],
    run: async (...given) => (await import("./commands/completion.ts")).printScript(...given),
  },
  {
    name: "complete",
    usage: "-- [words...]",
    summary: "Answers that script",
    arguments: ["[words...]"],
    isHidden: true,
    run: async (args) => (await import("./commands/completion.ts")).complete(args),
  },
];
