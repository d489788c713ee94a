/** Reads tables from an OpenAPI or Swagger description: the schemas that have an id, under any name. */
import { isJsonObject } from "../../shared/lib/json.ts";
import { snakeCase } from "../../shared/surface/names.ts";
import * as foreign from "./foreign_schema.ts";
import { type ClauseKind, Ledger } from "./ledger.ts";
import { Documents, type Placed, type Texts } from "./openapi/documents.ts";
import { memberOf, type Properties, propertiesOf } from "./openapi/schemas.ts";
import { boundsOf, typeOf } from "./openapi/types.ts";

/**
 * Reads the text. Throws `DraftError` if it is not a description, or describes nothing with an id. `beside`: files to which it
 * refers.
 */
export function readOpenApi(text: string, beside: Texts = new Map()): foreign.ForeignSchema {
  const documents = new Documents(new Map([...beside, ["", text]]));
  const ledger = new Ledger();
  const reader = new OpenApiReader(documents, ledger);
  const tables = reader.tables();
  if (tables.length === 0) {
    throw new foreign.DraftError('It has no schema with an "id" under components.schemas');
  }
  return { tables, ledger };
}

interface Found {
  readonly name: string;
  readonly placed: Placed;
  readonly properties: Properties;
  readonly id: string;
}

class OpenApiReader {
  readonly #documents: Documents;
  readonly #ledger: Ledger;
  /** Tables by the target of references to them. */
  readonly #found = new Map<string, Found>();

  constructor(documents: Documents, ledger: Ledger) {
    this.#documents = documents;
    this.#ledger = ledger;
    for (const [name, schema] of Object.entries(documents.schemas())) {
      if (!isJsonObject(schema)) continue;
      const place = `#/components/schemas/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      this.#find(name, place, { path: "", schema });
    }
  }

  #find(name: string, target: string, placed: Placed): void {
    const properties = propertiesOf(placed, this.#documents);
    const id = this.#idOf(name, properties);
    if (id === null) {
      this.#ledger.leaveOut(this.#ledger.open("table", name), "it has no id");
      return;
    }
    const found = { name, placed, properties, id };
    this.#found.set(target, found);
    // A schema that is only a reference has the target's place too.
    for (const other of memberOf(placed, this.#documents).targets) {
      if (!this.#found.has(other)) this.#found.set(other, found);
    }
  }

  /** Returns the scalar member with the name of an id; null if there is none. */
  #idOf(name: string, { members }: Properties): string | null {
    const own = snakeCase(name.slice(name.lastIndexOf(".") + 1));
    const wanted = ["id", "_id", "uuid", "guid", "sid", `${own}_id`, `${own}_uuid`, `${own}id`];
    for (const id of wanted) {
      const found = [...members.keys()].find((member) =>
        member === id || snakeCase(member) === id || member.toLowerCase() === id
      );
      const placed = found === undefined ? undefined : members.get(found);
      if (found === undefined || !placed) continue;
      const { schema } = memberOf(placed, this.#documents).placed;
      const kinds = [schema["type"]].flat();
      if (kinds.some((kind) => kind === "object" || kind === "array")) continue;
      return found;
    }
    return null;
  }

  tables(): readonly foreign.ForeignTable[] {
    return [...new Set(this.#found.values())].map((found) => this.#table(found));
  }

  #table({ name, placed, properties, id }: Found): foreign.ForeignTable {
    const open = (kind: ClauseKind, place: string) => this.#ledger.open(kind, `${name}.${place}`);
    const members = [...properties.members].map(([member, of]) => (
      { name: member, of, target: member === id ? undefined : this.#targetOf(of) }
    ));
    const description = memberOf(placed, this.#documents).placed.schema["description"];
    return {
      clause: this.#ledger.open("table", name),
      name,
      key: { clause: open("key", id), columns: [id] },
      unique: [],
      indexes: [],
      policies: [],
      columns: members.map(({ name: member, of, target }) =>
        target
          ? this.#key(`${name}.${member}`, keyName(member), of, properties.required.has(member))
          : this.#column(`${name}.${member}`, member, of, properties.required.has(member))
      ),
      relations: members.flatMap(({ name: member, target }) =>
        target
          ? [{
            clause: open("relation", member),
            columns: [keyName(member)],
            table: target.name,
            targets: null,
            onDelete: null,
            question: null,
          }]
          : []
      ),
      checks: members.flatMap(({ name: member, of, target }) =>
        target
          ? []
          : boundsOf(memberOf(of, this.#documents).placed.schema, member).map((condition) => (
            { clause: open("check", member), condition }
          ))
      ),
      comment: typeof description === "string" && description !== ""
        ? { clause: this.#ledger.open("comment", name), text: description }
        : null,
    };
  }

  /** Returns the table whose row the member is. */
  #targetOf(of: Placed): Found | undefined {
    const { targets } = memberOf(of, this.#documents);
    return targets.map((target) => this.#found.get(target)).find((found) => found !== undefined);
  }

  /** Reads an embedded row of another table as a foreign key. */
  #key(place: string, name: string, of: Placed, isRequired: boolean): foreign.ForeignColumn {
    return {
      clause: this.#ledger.open("column", place),
      name,
      type: foreign.TEXT,
      question: null,
      isRequired: isRequired && !memberOf(of, this.#documents).isNullable,
      length: null,
      fallback: null,
      generated: null,
      comment: null,
    };
  }

  #column(place: string, name: string, of: Placed, isRequired: boolean): foreign.ForeignColumn {
    const open = (kind: ClauseKind) => this.#ledger.open(kind, place);
    const { placed, isNullable } = memberOf(of, this.#documents);
    const { schema, path } = placed;
    const clause = open("column");
    const { type, question, maxLength } = typeOf(
      schema,
      (items) => memberOf({ path, schema: items }, this.#documents).placed.schema,
    );
    if (type.kind === "enum") {
      for (const value of type.values) {
        this.#ledger.carry(this.#ledger.open("value", `${place}.${value}`));
      }
    }
    const fallback = of.schema["default"] ?? schema["default"];
    const description = of.schema["description"] ?? schema["description"];
    return {
      clause,
      name,
      type,
      question,
      isRequired: isRequired && !isNullable,
      length: maxLength === null ? null : { clause: open("length"), max: maxLength },
      fallback: fallback === undefined || fallback === null ? null : {
        clause: open("default"),
        value: { kind: "value", value: JSON.parse(JSON.stringify(fallback)) },
      },
      generated: null,
      comment: typeof description === "string" && description !== ""
        ? { clause: open("comment"), text: description }
        : null,
    };
  }
}

function keyName(member: string): string {
  return `${member}_id`;
}
