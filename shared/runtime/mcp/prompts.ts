/** Prompts that a person may pick: how to begin, and how to work with one resource. */
import {
  type CompleteRequest,
  type CompleteResult,
  ErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  McpError,
  type Prompt,
} from "./sdk.ts";
import type { Principal } from "../../model/principal.ts";
import type { ProjectModel } from "../../model/project.ts";
import { reachOf } from "./reach.ts";
import { RECORD_TEMPLATE } from "./resources.ts";
import type { Toolbox } from "./toolbox.ts";

const OVERVIEW = "overview";
const RESOURCE = "work_with_resource";

export const PROMPTS: readonly Prompt[] = [
  {
    name: OVERVIEW,
    title: "What can I do here?",
    description: "Has the model tell what this API lets you do.",
  },
  {
    name: RESOURCE,
    title: "Work with a resource",
    description: "Has the model read a resource's description before it does anything.",
    arguments: [{ name: "resource", description: "Which one.", required: true }],
  },
];

export function promptFor(
  { name, arguments: args = {} }: GetPromptRequest["params"],
  toolbox: Toolbox,
): GetPromptResult {
  switch (name) {
    case OVERVIEW:
      return spoken(
        `Tell me briefly what I can do with these tools: ${[...toolbox.keys()].join(", ")}.`,
      );
    case RESOURCE: {
      const tool = toolbox.get("describe_resource");
      const resource = args["resource"] ?? "";
      const meaning = tool?.mean({ resource });
      if (meaning?.kind !== "told") {
        throw new McpError(ErrorCode.InvalidParams, "There is no such resource");
      }
      return spoken(
        `We work with "${resource}". This is what I may do with it:\n${
          JSON.stringify(meaning.data)
        }\n` +
          "Ask me what to do.",
      );
    }
    default:
      throw new McpError(ErrorCode.InvalidParams, "There is no such prompt");
  }
}

function spoken(text: string): GetPromptResult {
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}

const COMPLETIONS_MAX = 100;

/** Names of resources that the caller reaches; nothing to suggest for anything else. */
export function completionsFor(
  { ref, argument }: CompleteRequest["params"],
  { project, principal }: { readonly project: ProjectModel; readonly principal: Principal },
): CompleteResult {
  const isPrompt = ref.type === "ref/prompt";
  const isKnown = isPrompt ? ref.name === RESOURCE : ref.uri === RECORD_TEMPLATE;
  const names = !isKnown || argument.name !== "resource"
    ? []
    : [...reachOf(project, principal).resources.values()]
      .filter(({ records }) => isPrompt || records.has("get"))
      .map(({ resource }) => resource.name)
      .filter((name) => name.toLowerCase().startsWith(argument.value.toLowerCase()));
  return {
    completion: {
      values: names.slice(0, COMPLETIONS_MAX),
      total: names.length,
      hasMore: names.length > COMPLETIONS_MAX,
    },
  };
}
