/** Files of a new project beside its definitions, so that an editor, Deno and Node's tools open it without a problem (answers P10). */
import { fileURLToPath } from "node:url";
import { jsonFile } from "../shared/lib/json.ts";
import { shellWord } from "./shell_word.ts";
import {
  DECLARATIONS,
  DECLARATIONS_FOLDER,
  ROOT_FOLDERS,
  STRICTNESS,
  TSCONFIG_OPTIONS,
} from "./types/type_settings.ts";
import {
  AUTHOR_PACKAGES,
  AUTHORING,
  AUTHORING_NAMES,
  pinOf,
  TYPESCRIPT_VERSION,
} from "./types/package_modules.ts";
import { VERSION } from "./version.ts";

/** `program`: what the person types before a command. */
export function projectFiles(name: string, program: string): Readonly<Record<string, string>> {
  return {
    ".gitignore": [`${DECLARATIONS_FOLDER}/`, "node_modules/", ".env", ""].join("\n"),
    "AGENTS.md": agentsGuide(program),
    "README.md": readme(name, program),
    "deno.json": denoJson(),
    "package.json": packageJson(name),
    "tsconfig.json": tsconfigJson(),
  };
}

/** True where the command line was installed; false in a clone, whose sources a project then names by their path. */
const IS_INSTALLED = /\/node_modules\/|\/npm\/[^/]+\//.test(import.meta.url);

function denoJson(): string {
  const own = IS_INSTALLED ? `npm:quickback@${VERSION}` : AUTHORING;
  return jsonFile({
    tasks: { quickback: IS_INSTALLED ? `deno run -A ${own}` : cloneCommand() },
    imports: {
      ...Object.fromEntries(AUTHORING_NAMES.map((name) => [name, own])),
      ...Object.fromEntries(AUTHOR_PACKAGES.map((name) => [name, pinOf(name)])),
    },
    compilerOptions: { ...STRICTNESS, types: [DECLARATIONS], rootDirs: ROOT_FOLDERS },
    nodeModulesDir: "none",
    // Definitions may leave out the ending of what they import.
    unstable: ["sloppy-imports"],
  });
}

/** `deno task quickback`, as in the clone. */
function cloneCommand(): string {
  const [config, main] = ["../deno.json", "./main.ts"].map((path) =>
    shellWord(fileURLToPath(new URL(path, import.meta.url)))
  );
  return `deno run -A --config ${config} ${main}`;
}

function packageJson(name: string): string {
  const packages = AUTHOR_PACKAGES.map((one) => [one, pinOf(one).slice(`npm:${one}@`.length)]);
  return jsonFile({
    name,
    private: true,
    type: "module",
    scripts: { typecheck: "tsc --noEmit" },
    dependencies: {
      ...Object.fromEntries(packages),
      ...(IS_INSTALLED ? { quickback: VERSION } : {}),
    },
    devDependencies: { typescript: TYPESCRIPT_VERSION },
  });
}

function tsconfigJson(): string {
  return jsonFile({
    compilerOptions: { ...TSCONFIG_OPTIONS, ...(IS_INSTALLED ? {} : { paths: clonePaths() }) },
    include: ["quickback", DECLARATIONS],
    exclude: ["quickback/drizzle"],
  });
}

/** A clone has no packages of its own beside its sources: they are found among the project's. */
function clonePaths(): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([
    ...AUTHORING_NAMES.map((name) => [name, [AUTHORING]] as const),
    ...AUTHOR_PACKAGES.flatMap((name) => [
      [name, [`./node_modules/${name}`]] as const,
      [`${name}/*`, [`./node_modules/${name}/*`]] as const,
    ]),
  ]);
}

function readme(name: string, program: string): string {
  return `# ${name}

The definitions of an API are in \`quickback/\`: what its data is, and who may do what with it.

\`\`\`sh
${program} dev .      # serve it, and follow every change
${program} check .    # every mistake, types included, at its line
${program} compile . --out ../${name}-server
\`\`\`

\`deno check quickback\`, \`npx tsc --noEmit\` after \`npm install\`, and the editor know this project's
tables, roles, actions and events from \`${DECLARATIONS}\`. It is not in version control: \`dev\`,
\`compile\` and \`check\` keep it current, \`${program} types\` makes it in a fresh checkout.
`;
}

function agentsGuide(program: string): string {
  return `# Working on this project

\`quickback/\` holds definitions, which are read and never run; only handlers (\`execute\`, \`handlers/\`,
\`services/\`) run, inside the compiled API.

- \`quickback/quickback.config.ts\`: the project. Literals only.
- \`quickback/features/<feature>/<table>.ts\`: one table per file, with its rules and routes.
- \`quickback/features/<feature>/actions/<name>.ts\`: an action. A handler in a file of its own says whose
  it is: \`export const execute: ActionExecutor<"<feature>.<name>"> = …\`.
- \`${DECLARATIONS_FOLDER}/\` is generated. Do not edit it.

After each change run \`${program} check . --json\`: one document with \`ok\` and \`diagnostics\`, each with
\`file\`, \`line\`, \`column\`, \`message\` and a \`hint\`. It must be \`"ok": true\` before anything else.

Whatever is left out is closed: an operation without \`access\` admits nobody, a field in no guard cannot
be written, a table that isolates nobody does not compile. Open what is needed, for the roles that need
it; never write \`firewall: { exception: true }\` to silence an error.
`;
}
