/** The guide's alerts are PromQL about metrics, labels and values that an API really has. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { parser } from "@prometheus-io/lezer-promql";
import { parse } from "yaml";
import { z } from "zod";
import { openMetrics } from "../../library/platform/metrics.ts";
import { LAYERS } from "../../shared/contract/codes.ts";
import type { OutboxFigures } from "../../shared/runtime/ports.ts";
import { samplesIn } from "../support/metrics.ts";
import { codeBlocks, readPage } from "../support/pages.ts";

const PAGE = "docs/guides/operations.md";

const alerts = z.object({
  groups: z.array(z.object({
    rules: z.array(z.object({ alert: z.string(), expr: z.string(), for: z.string().optional() })),
  })),
});

async function rulesOfPage() {
  const yaml = codeBlocks(await readPage(PAGE)).filter(({ language }) => language === "yaml");
  const rules = yaml.map(({ text }) => text).find((text) => text.startsWith("groups:"));
  return alerts.parse(parse(rules ?? "")).groups.flatMap(({ rules }) => rules);
}

/** Values of each label of each metric that an API has; Prometheus adds its own. */
async function labelsOfMetrics(): Promise<ReadonlyMap<string, ReadonlyMap<string, Set<string>>>> {
  const { metrics, observe } = await openMetrics({ token: "t", name: "shop", contract: "v1" });
  const known = { requestId: "req_1", method: "GET", path: "/", code: null };
  const request = { ...known, route: "/api/v1/orders" };
  for (const layer of [null, ...LAYERS]) {
    for (const status of [200, 401, 429, 500, 503]) observe()({ ...request, status, layer });
  }
  const counts = { waiting: 1, oldestSeconds: 1, overdueSeconds: 1, dead: 1 };
  const outboxes = (["deliveries", "events", "push"] as const)
    .map((outbox): OutboxFigures => ({ outbox, ...counts }));
  const text = await metrics.text({ migrations: { applied: 1, pending: 0 }, outboxes });
  const own = new Map([["up", new Map([["job", new Set(["shop"])]])]]);
  for (const { name, labels } of samplesIn(text)) {
    const known = own.get(name) ?? new Map<string, Set<string>>();
    own.set(name, known);
    for (const [label, value] of Object.entries(labels)) {
      known.set(label, (known.get(label) ?? new Set<string>()).add(value));
    }
  }
  return own;
}

interface Query {
  readonly metrics: readonly string[];
  /** Of groupings and matchers. */
  readonly labels: readonly string[];
  readonly matchers: readonly (readonly [label: string, value: string])[];
}

/** What a PromQL expression asks for; throws for what is none. */
function queryOf(expr: string): Query {
  const metrics: string[] = [];
  const labels: string[] = [];
  const matchers: [string, string][] = [];
  parser.parse(expr).iterate({
    enter({ name, type, from, to }) {
      const text = expr.slice(from, to);
      if (type.isError) throw new Error(`No PromQL at ${from}: ${expr}`);
      if (name === "Identifier") metrics.push(text);
      if (name === "LabelName") labels.push(text);
      const [, label, value] = /^(\w+)="(.*)"$/.exec(text) ?? [];
      if (name.endsWith("LabelMatcher") && label && value !== undefined) {
        matchers.push([label, value]);
      }
    },
  });
  return { metrics, labels, matchers };
}

Deno.test("every alert of the guide asks for what an API has", async () => {
  const rules = await rulesOfPage();
  assert(rules.length >= 10, String(rules.length));
  const own = await labelsOfMetrics();
  for (const { alert, expr } of rules) {
    const { metrics, labels, matchers } = queryOf(expr);
    const [metric = "", ...others] = metrics;
    assertEquals(others, [], alert);
    const known = own.get(metric);
    assert(known, `${alert} asks for ${metric}`);
    for (const label of labels) assert(known.has(label), `${alert} asks for ${metric} by ${label}`);
    for (const [label, value] of matchers) {
      assert(known.get(label)?.has(value), `${alert} asks for ${metric} with ${label}=${value}`);
    }
  }
});

Deno.test("the guide's table has every metric of an API, and no other", async () => {
  const text = await readPage(PAGE);
  const told = [...text.matchAll(/^\| `((?:quickback|process)_\w+)`/gm)].map(([, name]) => name);
  const own = [...(await labelsOfMetrics()).keys()].filter((name) => name !== "up")
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));
  assertEquals(told.sort(), [...new Set(own)].sort());
});

Deno.test("queryOf() refuses what is no PromQL", () => {
  for (const expr of ["rate(a[5m]) >", "sum by route) (a)", "a{b=}"]) {
    assertThrows(() => queryOf(expr), Error, "No PromQL");
  }
});
