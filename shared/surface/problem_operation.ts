/** The address of a problem's `type`: one described path for all codes, public and unmetered (contract 2.7). */
import { LAYERS } from "../contract/codes.ts";
import { PROBLEM_CODES, PROBLEM_PATH, problemSlug } from "../contract/problem_types.ts";
import { closed, type ServiceOperation, serviceOperation } from "./service_operation.ts";

const text = (description: string) => ({ type: "string", minLength: 1, description });

export const PROBLEM_OPERATION: ServiceOperation = serviceOperation({
  id: "serviceProblem",
  method: "GET",
  path: `${PROBLEM_PATH}/:code`,
  summary: "Read about a kind of problem",
  description: "Where a problem's `type` leads: a page, or JSON where `Accept` prefers it.",
  who: "unasked",
  isStatic: true,
  parameters: [{
    name: "code",
    in: "path",
    required: true,
    description: "A problem's `code` in kebab-case.",
    schema: { type: "string", enum: PROBLEM_CODES.map(problemSlug) },
  }],
  mediaType: "text/html",
  success: { type: "string" },
  example: "<!doctype html>",
  otherContent: {
    "application/json": closed({
      type: { type: "string", format: "uri", description: "Identifies the kind of problem." },
      title: text("What is wrong, the same for each code."),
      status: { type: "integer", description: "The HTTP status." },
      layer: { type: "string", enum: LAYERS, description: "Layer that refuses requests so." },
      code: { type: "string", enum: PROBLEM_CODES, description: "What is wrong, for programs." },
      hint: text("What to do about it."),
    }),
  },
  codes: ["ROUTE_NOT_FOUND"],
});
