/** Shows a diagram of the tables with their relations, and one of each state machine. */
import { PATHS } from "../paths.ts";
import type { OutputFile } from "./compile_stream.ts";
import type { Box, Line, Point } from "./diagram/layout.ts";
import { movesOf, type Resource, resourcesIn } from "./diagram/registry.ts";
import { drawing, svg } from "./diagram/svg.ts";
import { element, show } from "./dom.ts";

type LayoutModule = typeof import("./diagram/layout.ts");

const ROW_HEIGHT = 18;
const HEAD_HEIGHT = 26;
const LETTER_WIDTH = 7.2;
const PADDING = 12;

export class DiagramPanel {
  readonly element = element("section", { class: "panel diagram-panel" });
  #resources: readonly Resource[] | null = [];
  #drawn: readonly Resource[] | null = [];
  #layout: Promise<LayoutModule> | null = null;

  constructor() {
    show(
      this.element,
      element("p", { class: "dim" }, "Nothing yet: tables show after a full compile"),
    );
  }

  /** Takes the files of a full compile. */
  show(files: readonly OutputFile[]): void {
    this.#resources = resourcesIn(files);
    if (!this.element.hidden) void this.opened();
  }

  /** Called when the tab is opened: draws what has not been drawn yet. */
  async opened(): Promise<void> {
    const resources = this.#resources;
    if (resources === this.#drawn) return;
    this.#drawn = resources;
    if (resources === null) {
      const text = "The project writes no schema registry (schemaRegistry: { generate: false })";
      return show(this.element, element("p", { class: "dim" }, text));
    }
    const { laidOut } = await this.#loaded();
    if (resources !== this.#resources) return;
    show(
      this.element,
      element("h3", {}, "Tables"),
      scrolling("Tables and their relations", tablesView(resources, laidOut)),
      element(
        "p",
        { class: "dim" },
        "◆ key   ▸ set by the service   ● masked for some   ? may be empty",
      ),
      ...resources.flatMap((resource) =>
        Object.keys(resource.transitions).flatMap((field) => statesView(resource, field, laidOut))
      ),
    );
  }

  #loaded(): Promise<LayoutModule> {
    return this.#layout ??= import(PATHS.diagram);
  }
}

function scrolling(name: string, content: Node): HTMLElement {
  const attributes = { class: "diagram-scroll", tabindex: "0", role: "region", "aria-label": name };
  return element("div", attributes, content);
}

function tablesView(resources: readonly Resource[], laidOut: LayoutModule["laidOut"]): SVGElement {
  const rows = new Map(resources.map(({ name, columns, primaryKey, hasRoutes }) => [
    name,
    [...(hasRoutes ? [] : ["  no routes"])].concat(columns.map((column) => {
      const mark = column.name === primaryKey ? "◆" : column.managedBy === "client" ? " " : "▸";
      return `${mark} ${column.name}: ${column.type}${column.nullable ? "?" : ""}${
        column.mask ? " ●" : ""
      }`;
    })),
  ]));
  const boxes = [...rows].map(([id, texts]): Box => ({
    id,
    width: Math.max(id.length, ...texts.map(({ length }) => length)) * LETTER_WIDTH + 2 * PADDING,
    height: HEAD_HEIGHT + texts.length * ROW_HEIGHT + 8,
  }));
  const lines = resources.flatMap(({ name, columns }) =>
    columns.flatMap((column): Line[] => {
      const target = column.references?.table;
      return target === undefined || !rows.has(target)
        ? []
        : [{ from: name, to: target, label: column.name }];
    })
  );
  const relations = lines.map(({ from, to, label }) => `${from}.${label} refers to ${to}`);
  return drawing(laidOut(boxes, lines), {
    title: `${[...rows.keys()].join(", ")}. ${relations.join(", ")}`,
    box: (id, middle) => tableBox(boxes.find((box) => box.id === id), rows.get(id) ?? [], middle),
  });
}

function tableBox(box: Box | undefined, rows: readonly string[], { x, y }: Point): SVGElement {
  const { id = "", width = 0, height = 0 } = box ?? {};
  const [left, top] = [x - width / 2, y - height / 2];
  return svg(
    "g",
    { class: "diagram-table" },
    svg("rect", { x: left, y: top, width, height, rx: 6, class: "diagram-box" }),
    svg("text", { x: left + PADDING, y: top + 18, class: "diagram-name" }, id),
    ...rows.map((text, at) =>
      svg(
        "text",
        { x: left + PADDING, y: top + HEAD_HEIGHT + 14 + at * ROW_HEIGHT, class: "diagram-row" },
        text,
      )
    ),
  );
}

function statesView(
  resource: Resource,
  field: string,
  laidOut: LayoutModule["laidOut"],
): readonly HTMLElement[] {
  const moves = movesOf(resource, field);
  const states = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const boxes = states.map((id): Box => ({
    id,
    width: id.length * LETTER_WIDTH + 2 * PADDING,
    height: 32,
  }));
  const lines = moves.map(({ from, to, by }): Line => ({ from, to, label: by.join(", ") }));
  const title = `${resource.name}.${field}`;
  const told = lines.map(({ from, to, label }) => `${from} to ${to}${label ? ` by ${label}` : ""}`);
  const picture = drawing(laidOut(boxes, lines), {
    title: `States of ${title}: ${told.join(", ")}`,
    box: (id, { x, y }) => {
      const { width = 0, height = 0 } = boxes.find((box) => box.id === id) ?? {};
      return svg(
        "g",
        { class: "diagram-state" },
        svg("rect", {
          x: x - width / 2,
          y: y - height / 2,
          width,
          height,
          rx: 16,
          class: "diagram-box",
        }),
        svg("text", { x, y: y + 4, class: "diagram-name middle" }, id),
      );
    },
  });
  return [element("h3", {}, title), scrolling(`States of ${title}`, picture)];
}
