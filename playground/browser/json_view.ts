/** Shows JSON as indented text with some members marked. */
import { element } from "./dom.ts";

type Part = Node | string;

/** Renders the value. `marked` contains the places of members as JSON pointers. */
export function jsonView(value: unknown, marked: ReadonlySet<string>): readonly Part[] {
  return partsOf(value, "", "", marked);
}

function partsOf(
  value: unknown,
  place: string,
  indent: string,
  marked: ReadonlySet<string>,
): readonly Part[] {
  if (marked.has(place)) {
    const text = JSON.stringify(value);
    return [
      element("mark", { class: "masked", title: "Masked for this caller" }, text),
      element("span", { class: "unseen" }, " (masked)"),
    ];
  }
  if (typeof value !== "object" || value === null) return [JSON.stringify(value)];
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  const [open, close] = isList ? "[]" : "{}";
  if (members.length === 0) return [`${open}${close}`];
  const inner = `${indent}  `;
  return [
    `${open}\n`,
    ...members.flatMap(([name, member], at) => [
      inner + (isList ? "" : `${JSON.stringify(name)}: `),
      ...partsOf(member, `${place}/${name}`, inner, marked),
      at === members.length - 1 ? "\n" : ",\n",
    ]),
    `${indent}${close}`,
  ];
}
