/** The part of a drizzle database that a handler sees: its builders, and nothing behind them. */
import { BUILDER_METHODS } from "../../../contract/handler_methods.ts";
import { refuseConstruct } from "./scoped_db_error.ts";

/** A transaction is a database that can be taken back, too. */
const OFFERED: ReadonlySet<string> = new Set([...BUILDER_METHODS, "rollback"]);

/** `extras` are offered as they are. */
export function guardedDatabase<T extends object>(
  database: T,
  extras: ReadonlyMap<string, unknown>,
): T {
  return new Proxy(database, {
    get(target, name) {
      if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
      if (extras.has(name)) return extras.get(name);
      if (!OFFERED.has(name)) refuseConstruct(`"db.${name}"`, "is not offered to handlers");
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    has: (_target, name) => typeof name === "string" && (OFFERED.has(name) || extras.has(name)),
    getPrototypeOf: () => null,
    ownKeys: () => [],
    getOwnPropertyDescriptor: () => undefined,
    set: (_target, name) => refuseConstruct(`"db.${String(name)}"`, "cannot be replaced"),
    defineProperty: (_target, name) =>
      refuseConstruct(`"db.${String(name)}"`, "cannot be replaced"),
    deleteProperty: (_target, name) =>
      refuseConstruct(`"db.${String(name)}"`, "cannot be replaced"),
    setPrototypeOf: () => refuseConstruct("The prototype of db", "cannot be replaced"),
    preventExtensions: () => refuseConstruct("db", "cannot be frozen"),
  });
}
