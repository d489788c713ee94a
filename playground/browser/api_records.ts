/** Collects ids of existing records, so that a prefilled request names a real one. */
import { z } from "zod";
import { parsedJson } from "../../shared/lib/json.ts";
import type { ApiAnswer } from "../protocol.ts";
import type { AskApi, Operation } from "./api_document.ts";

const PAGE = z.object({ data: z.array(z.object({ id: z.union([z.string(), z.number()]) })) });
const RECORD = z.object({ id: z.union([z.string(), z.number()]) });

/** Matches `/api/v1/tickets/{id}` and longer paths. */
const OF_RECORD = /^(.+?)\/\{id\}/;

export class ApiRecords {
  readonly #ask: AskApi;
  /** Last known id by the path of its collection. */
  readonly #ids = new Map<string, string>();

  constructor(ask: AskApi) {
    this.#ask = ask;
  }

  /** Remembers an id of an answer for later requests to the same collection. */
  note(path: string, { status, body }: ApiAnswer): void {
    const collection = path.split("?")[0] ?? path;
    const value = parsedJson(body);
    const listed = status === 200 ? PAGE.safeParse(value).data?.data[0]?.id : undefined;
    const made = status === 201 ? RECORD.safeParse(value).data?.id : undefined;
    const id = made ?? listed;
    if (id !== undefined) this.#ids.set(collection, String(id));
  }

  /** Returns the operation's path with the id of an existing record, if one is known. */
  async pathOf({ path }: Operation, person: string | null): Promise<string> {
    const collection = OF_RECORD.exec(path)?.[1];
    const id = collection === undefined ? null : await this.#idIn(collection, person);
    return id === null ? path : path.replace("{id}", encodeURIComponent(id));
  }

  /** Replaces made-up ids in the example by ids of existing records, where an example id belongs to exactly one collection. */
  async bodyOf(
    { bodyExample }: Operation,
    { operations, person }: {
      readonly operations: readonly Operation[];
      readonly person: string | null;
    },
  ): Promise<string> {
    let text = JSON.stringify(bodyExample, null, 2);
    for (const [example, collection] of collectionsByExample(operations)) {
      if (!text.includes(JSON.stringify(example))) continue;
      const id = await this.#idIn(collection, person);
      if (id !== null) text = text.replaceAll(JSON.stringify(example), JSON.stringify(id));
    }
    return text;
  }

  async #idIn(collection: string, person: string | null): Promise<string | null> {
    const known = this.#ids.get(collection);
    if (known !== undefined) return known;
    const path = `${collection}?limit=1`;
    this.note(
      path,
      await this.#ask({ as: person, method: "GET", path, headers: [], body: null }),
    );
    return this.#ids.get(collection) ?? null;
  }
}

function collectionsByExample(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { path, parameters } of operations) {
    const collection = OF_RECORD.exec(path)?.[1];
    const example = parameters.find(({ name }) => name === "id")?.example;
    if (collection === undefined || typeof example !== "string") continue;
    found.set(example, (found.get(example) ?? new Set()).add(collection));
  }
  return new Map(
    [...found].flatMap(([example, collections]) =>
      collections.size === 1 ? [...collections].map((one) => [example, one] as const) : []
    ),
  );
}
