/**
 * `docs/reference/definitions.md`: its prose and examples are written there, its lists are made from the shapes of the
 * definition language and from the doc comments of what authors import. Each list stands between two marks.
 */
import ts from "typescript";
import { MASK_TYPES, maskRecord } from "../../shared/contract/masks.ts";
import * as ACTIONS from "../../shared/definition_language/action.ts";
import * as COLUMNS from "../../shared/definition_language/columns.ts";
import * as CONFIG from "../../shared/definition_language/config.ts";
import * as PROVIDERS from "../../shared/definition_language/providers.ts";
import * as RESOURCES from "../../shared/definition_language/resource.ts";
import * as RULES from "../../shared/definition_language/rules.ts";
import * as SEEDS from "../../shared/definition_language/seed.ts";
import * as SERVICES from "../../shared/definition_language/services.ts";
import type { Kind } from "../../shared/definition_language/shape.ts";
import { BUILT_IN_MAILS } from "../../shared/accounts/account_mails.ts";
import { BUILT_IN_NOTICES } from "../../shared/accounts/security_log/notices.ts";
import * as MAILS from "../../shared/model/email.ts";
import { PAGE_TEXTS } from "../../shared/model/page_texts.ts";
import { NOTICE_KINDS, NOTICES } from "../../shared/model/security_events.ts";
import { AUTH_HOOKS } from "../../shared/model/authored.ts";

const SHARED = new URL("../../shared/", import.meta.url).pathname;

/** Modules of shapes, by their file below `shared/definition_language`. */
export const LANGUAGE = {
  action: ACTIONS,
  columns: COLUMNS,
  config: CONFIG,
  providers: PROVIDERS,
  resource: RESOURCES,
  rules: RULES,
  seed: SEEDS,
  services: SERVICES,
};

const LIST = /<!-- (\w+) of (.+?) -->\n[^]*?<!-- end -->/g;

/** The page with its lists made anew. */
export function definitionsPage(page: string): string {
  const sources = readSources();
  return page.replaceAll(LIST, (_whole, of: string, name: string) => {
    const lines = linesOf(of, name, sources);
    return [`<!-- ${of} of ${name} -->`, "", ...lines, "", "<!-- end -->"].join("\n");
  });
}

function linesOf(of: string, name: string, sources: Sources): readonly string[] {
  switch (of) {
    case "keys":
      return table(["Key", "Takes", "Default", "Meaning"], keyRows(name, sources));
    case "members":
      return table(["Name", "Meaning"], memberRows(name, (key) => key, sources));
    case "builders":
      return table(["Builder", "Meaning"], memberRows(name, (key) => `q.${key}()`, sources));
    case "modifiers":
      return table(["Modifier", "Meaning"], memberRows(name, (key) => `.${key}()`, sources));
    case "masks":
      return table(
        ["Mask", "What is left to see"],
        MASK_TYPES.map((type) => [code(type), code(maskRecord(type).example)]),
      );
    case "messages":
      return table(["File", "Built-in subject", "Placeholders"], messageRows());
    case "texts":
      return table(
        ["Key", "Built-in text"],
        Object.entries(PAGE_TEXTS).map(([key, text]) => [code(key), text]),
      );
    case "hooks":
      return AUTH_HOOKS.map((hook) => `- ${code(hook)}`);
    default:
      throw new Error(`The page asks for a list "${of} of ${name}"`);
  }
}

/** Every message that a project may word, with what its templates may name. */
function messageRows(): readonly (readonly string[])[] {
  return [
    ...MAILS.MAIL_NAMES.map((mail) =>
      [mail, MAILS.ACCOUNT_MAILS[mail].template, BUILT_IN_MAILS[mail].subject] as const
    ),
    ...NOTICE_KINDS.map((kind) => [kind, NOTICES[kind], BUILT_IN_NOTICES[kind].subject] as const),
  ].map(([mail, template, subject]) => [
    code(template),
    subject,
    MAILS.mailPlaceholders(mail).map(code).join(", "),
  ]);
}

interface Sources {
  readonly checker: ts.TypeChecker;
  /** Type of an export: of a constant its own, of an interface the declared one. */
  readonly typeOf: (file: string, name: string) => ts.Type;
}

function readSources(): Sources {
  const files = [...Object.keys(LANGUAGE).map((name) => `definition_language/${name}`)]
    .concat(
      [
        "q",
        "column",
        "handler",
        "action_error",
        "auth_hooks",
        "service",
        "webhook",
        "push",
        "principal",
        "realtime",
        "record_hooks",
      ].map((name) => `authoring/${name}`),
    )
    .map((name) => `${SHARED}${name}.ts`);
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  });
  const checker = program.getTypeChecker();
  return {
    checker,
    typeOf: (file, name) => {
      const source = program.getSourceFile(`${SHARED}${file}.ts`);
      const module = source && checker.getSymbolAtLocation(source);
      const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === name);
      if (!symbol) throw new Error(`${file} exports no ${name}`);
      const isValue = symbol.flags & ts.SymbolFlags.Variable;
      return isValue ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol);
    },
  };
}

/** `config.CONFIG`: every key of the shape and of the objects in it, by its path; `resource.RESOURCE alone`: its own keys. */
function keyRows(name: string, sources: Sources): readonly (readonly string[])[] {
  const [file = "", shape = "", isAlone] = name.split(/[. ]/);
  const module: Readonly<Record<string, unknown>> = LANGUAGE[knownFile(file)];
  const kind = module[shape];
  if (!isKind(kind)) throw new Error(`${name} is no shape`);
  return rowsIn(kind, sources.typeOf(`definition_language/${file}`, shape), {
    path: "",
    sources,
    isAlone: isAlone !== undefined,
  });
}

function knownFile(name: string): keyof typeof LANGUAGE {
  const file = Object.keys(LANGUAGE).find((one) => one === name);
  if (file === undefined || !Object.hasOwn(LANGUAGE, file)) throw new Error(`There is no ${name}`);
  return file as keyof typeof LANGUAGE;
}

export function isKind(value: unknown): value is Kind {
  return typeof value === "object" && value !== null && "kind" in value;
}

interface Walk {
  readonly path: string;
  readonly sources: Sources;
  /** Objects within it have lists of their own. */
  readonly isAlone: boolean;
}

function rowsIn(kind: Kind, type: ts.Type, walk: Walk): readonly (readonly string[])[] {
  const { checker } = walk.sources;
  switch (kind.kind) {
    case "object": {
      const members = typeOfMember(type, "members", checker);
      return Object.entries(kind.members).flatMap(([key, member]) => {
        const path = walk.path === "" ? key : `${walk.path}.${key}`;
        const symbol = members.getProperty(key);
        if (!symbol) throw new Error(`Nothing is known of ${path}`);
        const inner = walk.isAlone
          ? []
          : rowsIn(member, checker.getTypeOfSymbol(symbol), { ...walk, path });
        const fallback = member.default === undefined ? "" : code(JSON.stringify(member.default));
        const isLong = fallback.length > 40;
        const takes = member.required ? `${takesOf(member)}; required` : takesOf(member);
        return [
          [code(path), takes, isLong ? "" : fallback, commentOf(symbol, path, checker)],
          ...inner,
        ];
      });
    }
    case "list":
      return rowsIn(kind.item, typeOfMember(type, "item", checker), {
        ...walk,
        path: `${walk.path}[]`,
      });
    case "map":
      return rowsIn(kind.member, typeOfMember(type, "member", checker), {
        ...walk,
        path: `${walk.path}.<name>`,
      });
    case "either": {
      const options = typeOfMember(type, "options", checker);
      return kind.options.flatMap((option, at) => {
        const symbol = options.getProperty(String(at));
        return symbol ? rowsIn(option, checker.getTypeOfSymbol(symbol), walk) : [];
      });
    }
    default:
      return [];
  }
}

function typeOfMember(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type {
  const symbol = type.getProperty(name);
  if (!symbol) throw new Error(`The type of a shape has no ${name}`);
  return checker.getTypeOfSymbol(symbol);
}

/** The doc comment of a key; one without is a gap in the reference. */
function commentOf(symbol: ts.Symbol, path: string, checker: ts.TypeChecker): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(
    "\n",
    " ",
  );
  if (text === "") throw new Error(`${path} has no doc comment`);
  return text;
}

/** A kind in words. */
function takesOf(kind: Kind): string {
  switch (kind.kind) {
    case "boolean":
      return "`true`, `false`";
    case "text":
      return "text";
    case "word":
    case "matching":
    case "ruled":
      return kind.takes;
    case "words":
      return `list of ${kind.takes}`;
    case "integer":
      return kind.to === undefined
        ? `integer from ${kind.from}`
        : `integer, ${kind.from} to ${kind.to}`;
    case "origin":
      return "an origin such as `https://app.example.com`";
    case "url":
      return "a URL such as `https://app.example.com`";
    case "json":
      return "any JSON value";
    case "fraction":
      return "number, 0 to 1";
    case "oneOf":
      return kind.options.map((option) => code(JSON.stringify(option))).join(", ");
    case "list":
      return `list: ${takesOf(kind.item)}`;
    case "map":
      return `object by ${kind.by}${isObject(kind.member) ? "" : `: ${takesOf(kind.member)}`}`;
    case "either":
      return kind.options.map(takesOf).join(", or ");
    case "object":
      return "object";
  }
}

function isObject({ kind }: Kind): boolean {
  return kind === "object";
}

/** `q.q`, `handler.ActionParameters`: the members that are documented, with their comments. */
function memberRows(
  name: string,
  spelling: (key: string) => string,
  { checker, typeOf }: Sources,
): readonly (readonly string[])[] {
  const [file = "", exported = ""] = name.split(".");
  return typeOf(`authoring/${file}`, exported).getProperties()
    .filter(({ name: key }) => key !== "definition" && !key.includes("#"))
    .map((symbol) => [
      code(spelling(symbol.name)),
      commentOf(symbol, `${name}.${symbol.name}`, checker),
    ]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
}

function code(text: string): string {
  return `\`${text}\``;
}
