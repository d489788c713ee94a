/** The tables of a compile, as its schema registry has them. */
import { z } from "zod";
import { parsedJson } from "../../../shared/lib/json.ts";
import type { OutputFile } from "../compile_stream.ts";

const FILE = "schema-registry.json";

const COLUMN = z.object({
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  managedBy: z.string(),
  references: z.object({ table: z.string() }).nullable(),
  mask: z.unknown(),
});

const ACTION = z.object({
  name: z.string(),
  transition: z.object({
    field: z.string(),
    fromTo: z.record(z.string(), z.array(z.string())),
  }).nullable().default(null),
});

const RESOURCE = z.object({
  name: z.string(),
  primaryKey: z.string(),
  columns: z.array(COLUMN),
  actions: z.array(ACTION).default([]),
  /** Field → state → states that may follow. */
  transitions: z.record(z.string(), z.record(z.string(), z.array(z.string()))).default({}),
});

const REGISTRY = z.object({
  resources: z.union([z.array(RESOURCE), z.record(z.string(), RESOURCE)]),
});

export type Resource = z.infer<typeof RESOURCE>;

/** Null: the project writes no registry. */
export function resourcesIn(files: readonly OutputFile[]): readonly Resource[] | null {
  const text = files.find(({ path }) => path === FILE)?.content;
  const registry = text === undefined ? undefined : REGISTRY.safeParse(parsedJson(text)).data;
  return registry === undefined ? null : Object.values(registry.resources);
}

/** A move of a state machine; `by`: the actions that make it, empty where a write does. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly by: readonly string[];
}

export function movesOf({ transitions, actions }: Resource, field: string): readonly Move[] {
  return Object.entries(transitions[field] ?? {}).flatMap(([from, targets]) =>
    targets.map((to) => ({
      from,
      to,
      by: actions.filter(({ transition }) =>
        transition?.field === field && (transition.fromTo[from] ?? []).includes(to)
      ).map(({ name }) => name),
    }))
  );
}
