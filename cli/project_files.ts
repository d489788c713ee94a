/** Writes files of a new project beside its definitions, so that an editor, Deno and Node's tools open it without errors. */
import { fileURLToPath } from "node:url";
import { PACKAGE_EXEMPTION, PACKAGE_SPECIFIER } from "../shared/compiler/mod.ts";
import { CLIENT_PACKAGE, PACKAGE, VERSION } from "../shared/contract/mod.ts";
import { jsonFile } from "../shared/lib/json.ts";
import { IS_INSTALLED } from "./installation.ts";
import { shellWord } from "./shell_word.ts";
import * as settings from "./types/type_settings.ts";
import * as pins from "./types/package_modules.ts";

/** Returns the files. `program`: the words that the user types before a command. */
export function projectFiles(name: string, program: string): Readonly<Record<string, string>> {
  const own = IS_INSTALLED ? PACKAGE_SPECIFIER : pins.AUTHORING;
  const packages = pins.AUTHOR_PACKAGES.map((
    one,
  ) => [one, pins.pinOf(one).slice(`npm:${one}@`.length)]);
  return {
    ".gitignore": [`${settings.DECLARATIONS_FOLDER}/`, "node_modules/", ".env", ""].join("\n"),
    "AGENTS.md": agentsGuide(program),
    "README.md": readme(name, program),
    "deno.json": jsonFile({
      tasks: { quickback: IS_INSTALLED ? `deno run -A ${own}` : cloneCommand() },
      imports: {
        ...Object.fromEntries(pins.AUTHORING_NAMES.map((name) => [name, own])),
        ...Object.fromEntries(pins.AUTHOR_PACKAGES.map((name) => [name, pins.pinOf(name)])),
      },
      compilerOptions: {
        ...settings.STRICTNESS,
        types: [settings.DECLARATIONS],
        rootDirs: settings.ROOT_FOLDERS,
      },
      nodeModulesDir: "none",
      ...(IS_INSTALLED ? PACKAGE_EXEMPTION : {}),
      // Definitions may omit the file extension in imports.
      unstable: ["sloppy-imports"],
    }),
    "package.json": jsonFile({
      name,
      private: true,
      type: "module",
      // The script also works in a fresh checkout, where the project's declarations do not exist yet.
      scripts: { typecheck: `${IS_INSTALLED ? "quickback types && " : ""}tsc --noEmit` },
      dependencies: {
        ...Object.fromEntries(packages),
        ...(IS_INSTALLED ? { quickback: PACKAGE_DEPENDENCY } : {}),
      },
      devDependencies: { typescript: pins.TYPESCRIPT_VERSION },
    }),
    "tsconfig.json": jsonFile({
      compilerOptions: {
        ...settings.TSCONFIG_OPTIONS,
        // A clone's sources have no packages beside them, so the project must provide these.
        ...(IS_INSTALLED ? {} : {
          paths: Object.fromEntries([
            ...pins.AUTHORING_NAMES.map((name) => [name, [pins.AUTHORING]] as const),
            ...pins.AUTHOR_PACKAGES.flatMap((name) => [
              [name, [`./node_modules/${name}`]] as const,
              [`${name}/*`, [`./node_modules/${name}/*`]] as const,
            ]),
          ]),
        }),
      },
      include: ["quickback", settings.DECLARATIONS],
      exclude: ["quickback/drizzle"],
    }),
  };
}

/** Dependency under the name that definitions import, whatever the package's own name is. */
const PACKAGE_DEPENDENCY = PACKAGE === "quickback" ? VERSION : PACKAGE_SPECIFIER;

/** Returns `deno task quickback`, as in the clone. */
function cloneCommand(): string {
  const [config, main] = ["../deno.json", "./main.ts"].map((path) =>
    shellWord(fileURLToPath(new URL(path, import.meta.url)))
  );
  return `deno run -A --config ${config} ${main}`;
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
tables, roles, actions and events from \`${settings.DECLARATIONS}\`. It is not in version control: \`dev\`,
\`compile\` and \`check\` keep it current, \`${program} types\` makes it in a fresh checkout.

A front end, in a folder of its own, installs \`${CLIENT_PACKAGE}\` and takes a copy of the compiled
API's \`client.d.ts\`.
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
- \`${settings.DECLARATIONS_FOLDER}/\` is generated. Do not edit it.

After each change run \`${program} check . --json\`: one document with \`ok\` and \`diagnostics\`, each with
\`file\`, \`line\`, \`column\`, \`message\` and a \`hint\`. It must be \`"ok": true\` before anything else.

Whatever is left out is closed: an operation without \`access\` admits nobody, a field in no guard cannot
be written, a table that isolates nobody does not compile. Open what is needed, for the roles that need
it; never write \`firewall: { exception: true }\` to silence an error.
`;
}
