/**
 * Collects `components` of the document. Each is made at its first reference, so that none is made twice and none is unused.
 */
import type { JsonSchema } from "../../../../surface/mod.ts";

type Section = "schemas" | "parameters" | "responses" | "headers";

export type Reference = { readonly $ref: string };

export class Components {
  readonly #sections: Readonly<Record<Section, Map<string, JsonSchema>>> = {
    schemas: new Map(),
    parameters: new Map(),
    responses: new Map(),
    headers: new Map(),
  };
  readonly #variants = new Map<string, Reference>();

  /** Creates empty components; `names` decides whether responses name an account that acts in a caller's place. */
  constructor(readonly names: { readonly impersonators: boolean } = { impersonators: false }) {}

  /** Returns a reference to the component of this name. */
  refer(section: Section, name: string, make: () => JsonSchema): Reference {
    const made = this.#sections[section];
    if (!made.has(name)) made.set(name, make());
    return { $ref: `#/components/${section}/${name}` };
  }

  /**
   * Returns a reference to one of several components of this name. Each has its own `key`, and all but the first get a number,
   * in order of use.
   */
  referVariant(section: Section, name: string, key: string, make: () => JsonSchema): Reference {
    const place = `${section}/${name} ${key}`;
    const known = this.#variants.get(place);
    if (known) return known;
    let own = name;
    for (let number = 2; this.#sections[section].has(own); number += 1) own = `${name}${number}`;
    const reference = this.refer(section, own, make);
    this.#variants.set(place, reference);
    return reference;
  }

  toJSON(): JsonSchema {
    return Object.fromEntries(
      Object.entries(this.#sections).map(([section, made]) => [section, Object.fromEntries(made)]),
    );
  }
}
