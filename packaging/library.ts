/** The package's library under Node, for authors and clients: one file of JavaScript each, with declarations. */
import { build, stop } from "esbuild";
import { dirname, join } from "node:path";
import typescript from "typescript";

const ENTRIES = {
  authoring: "shared/authoring/mod.ts",
  client: "client/mod.ts",
  tanstack: "client/tanstack.ts",
};

interface Places {
  readonly root: string;
  readonly out: string;
}

export async function writeLibrary(places: Places): Promise<void> {
  await build({
    entryPoints: Object.entries(ENTRIES).map(([out, path]) => ({
      in: join(places.root, path),
      out,
    })),
    outdir: places.out,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "neutral",
    target: "es2022",
    logLevel: "silent",
  });
  await stop();
  await writeDeclarations(places);
}

async function writeDeclarations({ root, out }: Places): Promise<void> {
  const texts = declarationsOf(root);
  for (const [path, text] of texts) {
    const target = join(out, "types", path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, text);
  }
}

/** By path from the repository's top. The checks of the repository have found its types right: only their texts are wanted. */
function declarationsOf(root: string): ReadonlyMap<string, string> {
  const { ScriptTarget, ModuleKind, ModuleResolutionKind } = typescript;
  const options = {
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ScriptTarget.ES2022,
    module: ModuleKind.ESNext,
    moduleResolution: ModuleResolutionKind.Bundler,
    rootDir: root,
    noCheck: true,
  };
  const entries = Object.values(ENTRIES).map((path) => join(root, path));
  const program = typescript.createProgram(entries, options, hostOf(options, root));
  const [fault] = program.getDeclarationDiagnostics();
  if (fault !== undefined) {
    const reason = typescript.flattenDiagnosticMessageText(fault.messageText, "; ");
    throw new Error(`No declarations of "${fault.file?.fileName}": ${reason}`);
  }
  const texts = new Map<string, string>();
  program.emit(undefined, (path, text) => {
    texts.set(path.slice(root.length), text.replace(TS_ENDING, "$1.js$2"));
  });
  return texts;
}

/** A declaration can name a type of another module only where that exports it: each is taken for exported. */
function hostOf(options: typescript.CompilerOptions, root: string): typescript.CompilerHost {
  const host = typescript.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (path) => {
    const text = readFile(path);
    return path.startsWith(root) ? text?.replace(OWN_TYPE, "export $1 $2") : text;
  };
  return host;
}

const OWN_TYPE = /^(interface|type) ([A-Za-z])/gm;

/** A declaration says the name of the JavaScript beside it. */
const TS_ENDING = /((?:from|import\()\s*"\.{1,2}\/[^"]+)\.ts(")/g;
