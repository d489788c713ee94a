/** Runs TypeScript's compiler on a project's definitions: returns findings at the author's lines, as diagnostics. */
import { join } from "node:path";
import ts from "typescript";
import type { Diagnostic } from "../../shared/compiler/diagnostics/diagnostic.ts";
import { DECLARATIONS, TSCONFIG_OPTIONS } from "./type_settings.ts";
import { packageModule } from "./package_modules.ts";

export interface TypeCheck {
  /** Absolute path of the project. */
  readonly project: string;
  /** Packages of `build.dependencies`: without an installation their types are unknown. */
  readonly dependencies: readonly string[];
}

/** Type checker that caches the files it has read, so that later checks are faster. */
export class TypeChecker {
  readonly #sources = new Map<string, ts.SourceFile>();
  #program: ts.Program | undefined;

  /** Returns the findings sorted by place, only of the author's own files. */
  check({ project, dependencies }: TypeCheck): readonly Diagnostic[] {
    // The project's own tsconfig.json decides; a project without one is checked as strictly as a new project.
    const file = join(project, "tsconfig.json");
    const own = ts.sys.fileExists(file)
      ? ts.readConfigFile(file, ts.sys.readFile).config
      : undefined;
    const config = { compilerOptions: TSCONFIG_OPTIONS, ...own, files: [], include: [] };
    const options =
      ts.parseJsonConfigFileContent(config, ts.sys, project, { noEmit: true }, file).options;
    const definitions = `${join(project, "quickback")}/`;
    const roots = ts.sys.readDirectory(definitions, [".ts", ".tsx"], [
      "**/node_modules",
      "drizzle",
    ]);
    const host = this.#host(options);
    const rootNames = [...roots, join(project, DECLARATIONS)];
    const program = ts.createProgram({
      rootNames,
      options,
      host,
      ...(this.#program ? { oldProgram: this.#program } : {}),
    });
    this.#program = program;
    return program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(definitions))
      .flatMap((file) => [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ])
      .filter((found) => !isMissing(found, dependencies))
      .map((found) => diagnosticOf(found, project))
      .sort(({ place: a }, { place: b }) => {
        if (a.file !== b.file) return a.file < b.file ? -1 : 1;
        return a.line - b.line || a.column - b.column;
      });
  }

  #host(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createCompilerHost(options);
    const cache = ts.createModuleResolutionCache(
      host.getCurrentDirectory(),
      (name) => name,
      options,
    );
    return {
      ...host,
      // Comments are the largest part of the libraries' declarations, so they are skipped.
      jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
      getSourceFile: (path, languageVersion) => {
        const text = host.readFile(path);
        const known = this.#sources.get(path);
        if (text === undefined || known?.text === text) return known;
        const source = ts.createSourceFile(path, text, languageVersion);
        this.#sources.set(path, source);
        return source;
      },
      resolveModuleNameLiterals: (names, importer, _redirected, given) =>
        names.map(({ text }) => {
          const found = ts.resolveModuleName(text, importer, given, host, cache);
          return found.resolvedModule ? found : packageModule(text, given, host) ?? found;
        }),
    };
  }
}

const MODULE_NOT_FOUND = [2307, 2792, 7016];

function isMissing({ code, messageText }: ts.Diagnostic, dependencies: readonly string[]): boolean {
  if (!MODULE_NOT_FOUND.includes(code)) return false;
  const [, name = ""] = /'([^']+)'/.exec(ts.flattenDiagnosticMessageText(messageText, "\n")) ?? [];
  return dependencies.some((known) => name === known || name.startsWith(`${known}/`));
}

function diagnosticOf(found: ts.Diagnostic, project: string): Diagnostic {
  const { file, start = 0, length = 1, code } = found;
  if (!file) throw new Error("A finding of the type checker names no file");
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  const [first = "", ...rest] = ts.flattenDiagnosticMessageText(found.messageText, "\n").split(
    "\n",
  );
  return {
    code: `TS${code}`,
    severity: "error",
    message: withoutPeriod(first),
    place: {
      file: file.fileName.slice(project.length + 1),
      line: line + 1,
      column: character + 1,
      length: Math.max(1, length),
    },
    // The last line of a long explanation is its conclusion.
    hint: rest.length === 0 ? null : withoutPeriod(rest.at(-1)?.trim() ?? ""),
  };
}

function withoutPeriod(text: string): string {
  return text.replace(/\.$/, "");
}
