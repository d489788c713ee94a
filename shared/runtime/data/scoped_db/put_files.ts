/** Files that a call of authored code has stored, and the columns that may refer to them (contract 2.2, definitions 5). */
import type { FileType } from "../../../column_types/mod.ts";
import { fileJson, type FileValue, isTypeAccepted } from "../../../contract/mod.ts";
import { parsedJson } from "../../../lib/json.ts";
import { refuseConstruct } from "../../../lib/sql_tokens.ts";
import type { ColumnModel } from "../../../model/mod.ts";
import { refuse } from "../../refusal.ts";
import { type FileHome, fileHomeOf } from "../file_keys.ts";
import type { Scope, Target } from "./scope.ts";

export interface PutFile {
  readonly value: FileValue;
  readonly home: FileHome;
  /** Id of the organization or owner; null: nobody's. */
  readonly tenant: string | null;
}

interface WrittenFiles {
  readonly column: ColumnModel;
  readonly type: FileType;
  readonly scope: Scope;
  /** True when the statement inserts the row. */
  readonly isNew: boolean;
}

export class PutFiles {
  readonly #files = new Map<string, PutFile>();

  add(file: PutFile): void {
    this.#files.set(JSON.stringify(fileJson(file.value)), file);
  }

  /** Returns the file with that id; null: this call has stored none. */
  named(id: string): PutFile | null {
    return [...this.#files.values()].find(({ value }) => value.id === id) ?? null;
  }

  /**
   * Refuses with `VALIDATION_ERROR` a value that is no file of this call, and a file that the column does not accept. Throws if
   * the rows may belong to another tenant than the file.
   */
  require(
    stored: unknown,
    target: Target,
    written: WrittenFiles,
  ): void {
    const { column, type: { maxItems } } = written;
    if (maxItems === undefined) return this.#requireOne(stored, target, written);
    const files: unknown = typeof stored === "string" ? parsedJson(stored) : undefined;
    if (!Array.isArray(files) || files.length > maxItems) {
      return refuseFile(column, `Takes a list of at most ${maxItems} files`);
    }
    for (const file of files) this.#requireOne(JSON.stringify(file), target, written);
  }

  #requireOne(
    stored: unknown,
    { table, firewall }: Target,
    { column, type, scope, isNew }: WrittenFiles,
  ): void {
    const file = typeof stored === "string" ? this.#files.get(stored) : undefined;
    if (!file) {
      const empty = type.maxItems === undefined ? "null" : "a list that is empty";
      return refuseFile(column, `Takes only ${empty}, or what files.put gave in this very call`);
    }
    if (file.value.size > type.maxSize) {
      refuseFile(column, `Takes files of at most ${type.maxSize} bytes`);
    }
    if (!isTypeAccepted(file.value.type, type.types)) {
      refuseFile(column, `Takes files of ${type.types?.join(", ")}`);
    }
    const home = fileHomeOf(table);
    const tenant = {
      organization: firewall.organizationId,
      owner: firewall.principal.userId,
      public: null,
    }[home];
    const isBound = home === "public" || !scope.isFree(home) &&
        (isNew || firewall.predicates.some(({ kind }) => kind === home));
    if (file.home !== home || file.tenant !== tenant || !isBound) {
      refuseConstruct(
        `"${table.name}.${column.name}"`,
        `cannot take this file: it was put for ${
          OWNERS[file.home]
        }, and its rows may be another's. ` +
          "Name a table of the same tenant in files.put(…, { table }), and write it by db",
      );
    }
  }
}

function refuseFile({ name }: ColumnModel, wanted: string): never {
  return refuse("VALIDATION_ERROR", { details: { column: name, fields: { [name]: wanted } } });
}

const OWNERS: Readonly<Record<FileHome, string>> = {
  organization: "the caller's organization",
  owner: "the caller",
  public: "nobody in particular",
};
