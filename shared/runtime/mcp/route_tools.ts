/** Builds tools for routes of the service: each follows from the route's record (definitions 6; traps 21). */
import { z } from "zod";
import { PAGE_SIZE_MAX } from "../../contract/mod.ts";
import type { Principal, ProjectModel } from "../../model/mod.ts";
import { isAdmittedBy, isSchema, type JsonSchema } from "../../surface/mod.ts";
import { type SystemRoute, systemRoutesOf } from "../../surface/mod.ts";
import { encodeSegment } from "../request/read_request.ts";
import * as tools from "./tool.ts";

/** Returns the tools whose routes admit the caller. */
export function routeTools(project: ProjectModel, principal: Principal): readonly tools.Tool[] {
  return systemRoutesOf(project).flatMap((route) => {
    const isAdmitted = route.rule === null || isAdmittedBy(route.rule, principal);
    return route.tool !== null && isAdmitted ? [toolOf(route, route.tool)] : [];
  });
}

function toolOf(route: SystemRoute, name: string): tools.Tool {
  const { id: endpoint, method, summary, description, parameters, body } = route;
  const text = {
    name,
    title: summary,
    description: `${summary}. ${description}`,
    effects: method === "GET" ? tools.READS : tools.DOES_ANYTHING,
  };
  const named = parameters.filter(({ in: place }) => place !== "header");
  const shape = {
    ...Object.fromEntries(
      named.map((parameter) => [String(parameter.name), argumentOf(parameter)]),
    ),
    ...(body === null ? {} : { body: z.record(z.string(), z.json()) }),
  };
  return tools.toolOf(text, shape, ({ body: sent, ...args }) => {
    const values = new Map(Object.entries(args).map(([name, value]) => [name, String(value)]));
    const inPath = (name: string) => named.some((one) => one.name === name && one.in === "path");
    return tools.callOf({
      endpoint,
      method,
      path: route.path.replace(/:([A-Za-z]+)/g, (_, name) => encodeSegment(values.get(name) ?? "")),
      query: [...values].filter(([name]) => !inPath(name)),
      body: body === null ? null : BODY.parse(sent),
    });
  });
}

const BODY = z.record(z.string(), z.json());

const TEXT_MAX = 2048;

/** Builds an argument with OpenAPI's description of the parameter. */
function argumentOf({ schema, required, description, name }: JsonSchema): z.ZodType {
  const value = valueOf(isSchema(schema) ? schema : {}, name === "limit");
  const described = value.describe(String(description));
  return required === true ? described : described.optional();
}

function valueOf({ type, enum: values }: JsonSchema, isLimit: boolean): z.ZodType {
  if (isLimit) return z.int().min(1).max(PAGE_SIZE_MAX);
  if (type === "integer") return z.int();
  const texts = Array.isArray(values) ? values.filter((one) => typeof one === "string") : [];
  return texts.length > 0 ? z.enum(texts) : z.string().min(1).max(TEXT_MAX);
}
