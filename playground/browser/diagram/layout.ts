/**
 * Computes the places of a diagram's boxes and lines. It is a separate script: the layout library loads when a diagram is first
 * shown.
 */
import dagre from "@dagrejs/dagre";

export interface Box {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface Line {
  readonly from: string;
  readonly to: string;
  /** Text on the line; empty for none. */
  readonly label: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Centres of the boxes, by id. */
  readonly boxes: ReadonlyMap<string, Point>;
  readonly lines: readonly {
    readonly line: Line;
    readonly points: readonly Point[];
    /** Centre of the label; null if the line has none. */
    readonly label: Point | null;
  }[];
}

const LETTER_WIDTH = 6.4;
const LABEL_HEIGHT = 16;

/** Lays the diagram out from left to right. Equal input gives an equal layout. */
export function laidOut(boxes: readonly Box[], lines: readonly Line[]): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 28, ranksep: 64, marginx: 12, marginy: 12 });
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const [at, { from, to, label }] of lines.entries()) {
    const size = label === "" ? {} : { width: label.length * LETTER_WIDTH, height: LABEL_HEIGHT };
    graph.setEdge(from, to, { labelpos: "c", ...size }, String(at));
  }
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    boxes: new Map(boxes.map(({ id }) => {
      const { x, y } = graph.node(id);
      return [id, { x, y }];
    })),
    lines: lines.map((line, at) => {
      const { points, x, y } = graph.edge({ v: line.from, w: line.to, name: String(at) });
      const label = line.label === "" || x === undefined || y === undefined ? null : { x, y };
      return { line, points, label };
    }),
  };
}
