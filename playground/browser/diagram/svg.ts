/** Creates SVG elements of a drawing, as `dom.ts` creates those of HTML. */
import type { Layout, Point } from "./layout.ts";

const SVG = "http://www.w3.org/2000/svg";

export function svg(
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly (Node | string)[]
): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Draws the layout; `box` draws a box around its centre. */
export function drawing(
  { width, height, boxes, lines }: Layout,
  { title, box }: {
    readonly title: string;
    readonly box: (id: string, middle: Point) => SVGElement;
  },
): SVGElement {
  const arrow = svg(
    "marker",
    {
      id: "arrow",
      viewBox: "0 0 8 8",
      refX: 7,
      refY: 4,
      markerWidth: 8,
      markerHeight: 8,
      orient: "auto",
    },
    svg("path", { d: "M0 0 8 4 0 8z", class: "diagram-arrow" }),
  );
  return svg(
    "svg",
    {
      class: "diagram",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": title,
    },
    svg("defs", {}, arrow),
    ...lines.map(({ points }) =>
      svg("path", {
        d: points.map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`)
          .join(" "),
        class: "diagram-line",
        "marker-end": "url(#arrow)",
      })
    ),
    ...lines.flatMap(({ line: { label }, label: place }) =>
      place === null
        ? []
        : [svg("text", { x: place.x, y: place.y + 4, class: "diagram-label" }, label)]
    ),
    ...[...boxes].map(([id, middle]) => box(id, middle)),
  );
}
