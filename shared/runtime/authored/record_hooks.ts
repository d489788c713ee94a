/** Runs the author's code around the writes of a table's records (definitions 6, hooks). */
import { restored } from "../../column_types/mod.ts";
import { HOOK_DEPTH_MAX } from "../../contract/mod.ts";
import { EMIT_WEBHOOK_EVENT, type RecordHookName, type TableModel } from "../../model/mod.ts";
import { bodyCheckerOf, isFileColumn, type RecordHooksCode } from "../../surface/mod.ts";
import { unpublished } from "../data/changes/change_log.ts";
import type { ColumnValues, StoredRow } from "../data/types.ts";
import { requireBody } from "../layers/6-validation/require_body.ts";
import type { Transaction } from "../ports.ts";
import type { TableHooks } from "../records/table_hooks.ts";
import { Refusal } from "../refusal.ts";
import { bodyOfAuthor, isPlainObject } from "./author_values.ts";
import { authoredRefusal } from "./authored_refusal.ts";
import { contextOf } from "./caller_context.ts";
import type { HookTime } from "./hook_time.ts";
import type { HandlerHome, OpenWork, Work, WorkOptions } from "./work.ts";

/** Dependencies of hooks: the writer of records, and the time limit of the write. */
export interface HookMeans extends
  Pick<
    WorkOptions,
    "home" | "means" | "newId" | "reader" | "place" | "stamps" | "lifted"
  > {
  readonly open: OpenWork;
  readonly caller: Pick<WorkOptions, "principal" | "organizationId">;
  readonly time: HookTime;
  /** Number of hooks whose writes led to this one. */
  readonly depth: number;
}

/** Returns the hooks of a table; null: it has none. */
export function tableHooksOf(table: TableModel, means: HookMeans): TableHooks | null {
  const code = hooksCodeOf(table, means.home);
  return code === null ? null : new AuthoredHooks(table, code, means);
}

/** Returns the author's hooks of a table; null: it has none. */
export function hooksCodeOf(
  { name }: TableModel,
  { code: { recordHooks } }: Pick<HandlerHome, "code">,
): RecordHooksCode | null {
  if (recordHooks === undefined || !Object.hasOwn(recordHooks, name)) return null;
  return recordHooks[name] ?? null;
}

type Given = Readonly<Record<string, unknown>>;

class AuthoredHooks implements TableHooks {
  constructor(
    readonly table: TableModel,
    readonly code: RecordHooksCode,
    readonly means: HookMeans,
  ) {}

  get #check() {
    return bodyCheckerOf("update", { guards: null }, this.table);
  }

  runs(kind: "create" | "update" | "delete"): boolean {
    return KINDS[kind].some((name) => this.code.hooks[name] !== undefined);
  }

  async beforeCreate(
    transaction: Transaction,
    insertion: Parameters<TableHooks["beforeCreate"]>[1],
  ): Promise<ColumnValues> {
    const { values } = insertion;
    if (this.code.hooks.beforeCreate === undefined) return values;
    const next = this.means.home.records.data.newRow(insertion);
    const set = await this.#run("beforeCreate", transaction, {
      operation: "create",
      changes: this.#valuesShown(values),
      next: this.#rowShown(next),
    });
    return this.#merged(values, set, { name: "beforeCreate", fixed: [] });
  }

  async afterCreate(
    transaction: Transaction,
    key: Parameters<TableHooks["afterCreate"]>[1],
  ): Promise<void> {
    if (this.code.hooks.afterCreate === undefined) return;
    const record = await this.#written(transaction, key);
    await this.#run("afterCreate", transaction, { operation: "create", record });
  }

  async beforeUpdate(
    transaction: Transaction,
    change: Parameters<TableHooks["beforeUpdate"]>[1],
  ): Promise<ColumnValues> {
    const { operation, row, values, next, fixed } = change;
    if (this.code.hooks.beforeUpdate === undefined) return values;
    const set = await this.#run("beforeUpdate", transaction, {
      operation,
      record: this.#rowShown(row),
      changes: this.#valuesShown(values),
      next: this.#rowShown(next),
    });
    return this.#merged(values, set, { name: "beforeUpdate", fixed });
  }

  async afterUpdate(
    transaction: Transaction,
    { key, operation, row, values }: Parameters<TableHooks["afterUpdate"]>[1],
  ): Promise<void> {
    if (this.code.hooks.afterUpdate === undefined) return;
    await this.#run("afterUpdate", transaction, {
      operation,
      record: await this.#written(transaction, key),
      previous: this.#rowShown(row),
      changes: this.#valuesShown(values),
    });
  }

  async beforeDelete(
    transaction: Transaction,
    { row }: Parameters<TableHooks["beforeDelete"]>[1],
  ): Promise<void> {
    if (this.code.hooks.beforeDelete === undefined) return;
    const record = this.#rowShown(row);
    await this.#run("beforeDelete", transaction, { operation: "delete", record });
  }

  async afterDelete(
    transaction: Transaction,
    { row, cascaded }: Parameters<TableHooks["afterDelete"]>[1],
  ): Promise<void> {
    if (this.code.hooks.afterDelete === undefined) return;
    await this.#run("afterDelete", transaction, {
      operation: "delete",
      record: this.#rowShown(row),
      cascaded: Object.freeze(Object.fromEntries(cascaded)),
    });
  }

  /** Runs a hook and returns its result. */
  async #run(name: RecordHookName, transaction: Transaction, given: Given): Promise<unknown> {
    const { means, code } = this;
    const hook = code.hooks[name];
    if (hook === undefined) return undefined;
    if (means.depth >= HOOK_DEPTH_MAX) throw this.#mistake(name, TOO_DEEP);
    const { caller, depth, open, ...options } = means;
    const isTold = means.means.project.realtime.emitFromActions;
    const work = open({
      ...options,
      ...caller,
      transaction: isTold ? transaction : unpublished(transaction),
      told: transaction,
      depth: depth + 1,
    });
    const parameters = { ...given, ...partsOf(work, caller) };
    try {
      return await means.time.race(async () => await Reflect.apply(hook, code.hooks, [parameters]));
    } catch (error) {
      throw this.#refusalOf(error, name);
    } finally {
      await work.close();
    }
  }

  #refusalOf(error: unknown, name: RecordHookName): unknown {
    if (error instanceof Refusal) return error;
    const authored = authoredRefusal(error);
    if (authored) return authored;
    return this.#failure(new HookFailure(`${this.#place(name)} failed`, { cause: error }), error);
  }

  /** Returns the refusal for a mistake in the author's code, which no change of the request can correct. */
  #mistake(name: RecordHookName, text: string): Refusal {
    const error = new HookFailure(`${this.#place(name)} ${text}`);
    return this.#failure(error, error);
  }

  #failure(cause: HookFailure, thrown: unknown): Refusal {
    const name = thrown instanceof Error ? thrown.constructor.name : typeof thrown;
    return new Refusal("ACTION_EXECUTION_FAILED", { details: { name }, cause });
  }

  #place(name: RecordHookName): string {
    return `Hook ${name} of table "${this.table.name}" (${this.code.file})`;
  }

  /** Returns the values with those that the code has set. Refuses columns that the code may not set, and invalid values. */
  #merged(
    values: ColumnValues,
    set: unknown,
    { name, fixed }: {
      readonly name: "beforeCreate" | "beforeUpdate";
      readonly fixed: readonly string[];
    },
  ): ColumnValues {
    if (set === undefined || set === null) return values;
    if (!isPlainObject(set)) {
      throw this.#mistake(name, "must give an object of columns to set, or nothing");
    }
    const body = bodyOfAuthor(set, this.table);
    const immutable = name === "beforeUpdate" ? this.#immutable() : [];
    for (const field of Object.keys(body)) {
      const column = this.table.columns.find((one) => one.name === field);
      if (!column) throw this.#mistake(name, `sets "${field}", which is no column`);
      if (column.manager !== "client" || isFileColumn(column) || fixed.includes(field)) {
        throw this.#mistake(name, `sets "${field}", which the service alone writes`);
      }
      if (immutable.includes(field)) {
        throw this.#mistake(name, `sets "${field}", which is immutable`);
      }
    }
    return new Map([...values, ...requireBody(this.#check, body)]);
  }

  #immutable(): readonly string[] {
    const { resources } = this.means.home.records;
    return resources.get(this.table.name)?.guards?.immutable ?? [];
  }

  async #written(
    transaction: Transaction,
    key: Parameters<TableHooks["afterCreate"]>[1],
  ): Promise<Given> {
    const row = await this.means.home.records.data.selectHeld(transaction, key);
    if (row === null) throw new Error(`The row of "${this.table.name}" that was written is gone`);
    return this.#rowShown(row);
  }

  /** Returns the row unmasked, by API names, and read-only. */
  #rowShown(row: StoredRow): Given {
    return frozen(
      this.table.columns.map((column) => [
        column.name,
        restored(column, row.get(column.name) ?? null),
      ]),
    );
  }

  #valuesShown(values: ColumnValues): Given {
    const given = this.table.columns.filter(({ name }) => values.has(name));
    return frozen(
      given.map((column) => [column.name, restored(column, values.get(column.name) ?? null)]),
    );
  }
}

const KINDS = {
  create: ["beforeCreate", "afterCreate"],
  update: ["beforeUpdate", "afterUpdate"],
  delete: ["beforeDelete", "afterDelete"],
} as const satisfies Readonly<Record<string, readonly RecordHookName[]>>;

const TOO_DEEP =
  `is called by a write of a hook that another hook's write has called, more than ${HOOK_DEPTH_MAX} deep`;

/** Error that names the hook that failed, with the reason. */
class HookFailure extends Error {
  override readonly name = "HookFailure";
}

function partsOf({ db, services, jobs, files, env }: Work, caller: HookMeans["caller"]) {
  const { organizationId, principal: { userId } } = caller;
  const emit = (type: unknown, payload: unknown, scope?: object): Promise<void> => {
    const send: unknown = Reflect.get(env, EMIT_WEBHOOK_EVENT);
    if (typeof send !== "function") throw new Error("The hook's work has no events");
    // Without a scope, the event goes to the endpoints of the organization, or else of the user.
    const own = organizationId === null ? { userId } : { organizationId };
    return send({ type, payload, ...(scope ?? own) });
  };
  return {
    ...{ db, ctx: contextOf(caller), emit, jobs, services, env },
    ...(files ? { files } : {}),
  };
}

function frozen(entries: readonly (readonly [string, unknown])[]): Given {
  return deepFrozen(Object.fromEntries(entries));
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) deepFrozen(member);
  return Object.freeze(value);
}
